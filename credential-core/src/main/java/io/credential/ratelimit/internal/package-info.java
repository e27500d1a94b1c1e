/** Implements rate limits, in memory and in the database. */
@NullMarked
package io.credential.ratelimit.internal;

import org.jspecify.annotations.NullMarked;
