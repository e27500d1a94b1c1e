/** Stores nonces in Redis. */
@NullMarked
package io.credential.spring.internal.redis;

import org.jspecify.annotations.NullMarked;
