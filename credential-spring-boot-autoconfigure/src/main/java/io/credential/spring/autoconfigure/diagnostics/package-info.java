/** Configuration exception, failure analyzers and the check for unknown properties. */
@NullMarked
package io.credential.spring.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;
