/** The rate limits of API keys: where requests are counted. */
@NullMarked
package io.credential.spring.autoconfigure.ratelimit;

import org.jspecify.annotations.NullMarked;
