/** Receives the reports of secret-scanning partners about leaked API keys. */
@NullMarked
package io.credential.spring.leak.internal;

import org.jspecify.annotations.NullMarked;
