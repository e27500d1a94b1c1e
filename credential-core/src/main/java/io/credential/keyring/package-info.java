/** The exception of a keyring that cannot be used. */
@NullMarked
package io.credential.keyring;

import org.jspecify.annotations.NullMarked;
