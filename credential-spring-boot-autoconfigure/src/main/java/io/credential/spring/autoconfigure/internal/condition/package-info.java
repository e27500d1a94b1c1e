/** Conditions on the configuration. */
@NullMarked
package io.credential.spring.autoconfigure.internal.condition;

import org.jspecify.annotations.NullMarked;
