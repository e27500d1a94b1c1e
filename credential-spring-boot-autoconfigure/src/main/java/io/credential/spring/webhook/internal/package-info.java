/** The filter and the controller arguments for incoming webhooks. */
@NullMarked
package io.credential.spring.webhook.internal;

import org.jspecify.annotations.NullMarked;
