/** The registries of API keys, their rate limits and their background work. */
@NullMarked
package io.credential.spring.autoconfigure.apikeys;

import org.jspecify.annotations.NullMarked;
