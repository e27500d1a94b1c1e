/** The exception of an invalid configuration. */
@NullMarked
package io.credential.spring.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;
