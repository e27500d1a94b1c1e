/** Creates the stores in Redis. */
@NullMarked
package io.credential.spring.autoconfigure.redis.internal;

import org.jspecify.annotations.NullMarked;
