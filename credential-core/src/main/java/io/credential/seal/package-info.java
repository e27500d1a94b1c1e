/** The result of sealing stored data anew. */
@NullMarked
package io.credential.seal;

import org.jspecify.annotations.NullMarked;
