/** Secrets as bytes that do not print, and the algorithms that hash them. */
@NullMarked
package io.credential.secret;

import org.jspecify.annotations.NullMarked;
