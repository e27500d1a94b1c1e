/** API keys of all registries. */
@NullMarked
package io.credential.spring.console.internal.key;

import org.jspecify.annotations.NullMarked;
