/** Counts keys by their state, and those that deserve attention. */
@NullMarked
package io.credential.apikey.internal.hygiene;

import org.jspecify.annotations.NullMarked;
