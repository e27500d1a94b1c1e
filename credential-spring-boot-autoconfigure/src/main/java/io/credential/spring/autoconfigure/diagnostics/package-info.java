/** Says what stopped the start and what to do about it. */
@NullMarked
package io.credential.spring.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;
