/** Stores keyed hashes for searching keys by name and scope. */
@NullMarked
package io.credential.apikey.internal.search;

import org.jspecify.annotations.NullMarked;
