/** Decides which deliveries are attempted when: what is due, which endpoints have capacity, and the loop. */
@NullMarked
package io.credential.webhook.delivery.internal.engine;

import org.jspecify.annotations.NullMarked;
