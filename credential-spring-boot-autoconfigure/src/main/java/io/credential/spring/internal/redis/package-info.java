/** Stores nonces and the buckets of rate limits in Redis. */
@NullMarked
package io.credential.spring.internal.redis;

import org.jspecify.annotations.NullMarked;
