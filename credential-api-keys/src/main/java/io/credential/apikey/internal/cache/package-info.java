/** Caches that the nodes of an application keep consistent. */
@NullMarked
package io.credential.apikey.internal.cache;

import org.jspecify.annotations.NullMarked;
