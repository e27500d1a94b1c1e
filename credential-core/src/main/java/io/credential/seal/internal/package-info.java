/** Sealing at rest: the keys, sealed cells bound to their row, the blind index and the row MAC. */
@NullMarked
package io.credential.seal.internal;

import org.jspecify.annotations.NullMarked;
