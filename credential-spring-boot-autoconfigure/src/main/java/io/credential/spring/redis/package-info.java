/** Stores nonces in Redis. */
@NullMarked
package io.credential.spring.redis;

import org.jspecify.annotations.NullMarked;
