/** Senders of incoming webhooks. */
@NullMarked
package io.credential.spring.console.internal.inbound;

import org.jspecify.annotations.NullMarked;
