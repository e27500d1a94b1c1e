/** Conditions on what is configured. */
@NullMarked
package io.credential.spring.autoconfigure.condition;

import org.jspecify.annotations.NullMarked;
