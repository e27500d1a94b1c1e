/** Logging without secrets. */
@NullMarked
package io.credential.spring.logging;

import org.jspecify.annotations.NullMarked;
