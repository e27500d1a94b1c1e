/** What applications with Redis may use it for. */
@NullMarked
package io.credential.spring.redis;

import org.jspecify.annotations.NullMarked;
