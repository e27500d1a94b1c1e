/** Stores keyed hashes by which keys are searched. */
@NullMarked
package io.credential.apikey.internal.search;

import org.jspecify.annotations.NullMarked;
