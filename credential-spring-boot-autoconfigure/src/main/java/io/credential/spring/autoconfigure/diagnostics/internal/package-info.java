/** Failure analyzers, and checks of property names and libraries. */
@NullMarked
package io.credential.spring.autoconfigure.diagnostics.internal;

import org.jspecify.annotations.NullMarked;
