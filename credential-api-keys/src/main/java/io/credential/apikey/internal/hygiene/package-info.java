/** Counts the keys that deserve attention. */
@NullMarked
package io.credential.apikey.internal.hygiene;

import org.jspecify.annotations.NullMarked;
