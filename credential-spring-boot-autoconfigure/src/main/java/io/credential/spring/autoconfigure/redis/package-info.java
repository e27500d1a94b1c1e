/** The stores in the application's Redis, for the features that can use them. */
@NullMarked
package io.credential.spring.autoconfigure.redis;

import org.jspecify.annotations.NullMarked;
