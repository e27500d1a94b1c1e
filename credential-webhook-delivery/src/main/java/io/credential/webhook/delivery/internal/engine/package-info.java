/**
 * Decides which deliveries are attempted when: what is due, which endpoints have capacity, and the loop. Takes each delivery
 * through its stages.
 */
@NullMarked
package io.credential.webhook.delivery.internal.engine;

import org.jspecify.annotations.NullMarked;
