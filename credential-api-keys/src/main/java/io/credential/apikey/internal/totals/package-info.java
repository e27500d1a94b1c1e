/** Counts keys by their state without reading them. */
@NullMarked
package io.credential.apikey.internal.totals;

import org.jspecify.annotations.NullMarked;
