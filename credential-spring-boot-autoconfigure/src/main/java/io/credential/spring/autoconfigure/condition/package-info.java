/** Conditions on the configuration. */
@NullMarked
package io.credential.spring.autoconfigure.condition;

import org.jspecify.annotations.NullMarked;
