/** Finds tokens where they do not belong: in source code, logs and configuration. */
@NullMarked
package io.credential.apikey.leak;

import org.jspecify.annotations.NullMarked;
