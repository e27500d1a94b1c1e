/** Sealing at rest: the keyring, sealed cells bound to their row, the blind index and the row MAC. */
@NullMarked
package io.credential.seal;

import org.jspecify.annotations.NullMarked;
