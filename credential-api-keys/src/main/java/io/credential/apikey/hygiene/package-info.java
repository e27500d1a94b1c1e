/** Counts keys by their state, and those that deserve attention. */
@NullMarked
package io.credential.apikey.hygiene;

import org.jspecify.annotations.NullMarked;
