package io.credential.webhook.delivery.outbox;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.queue.Claim;

/**
 * An event to be stored.
 *
 * @param claim under which its deliveries are in flight from the beginning, as far as there is room for them; null leaves
 *     them pending and due
 */
record NewEvent(Event event, @Nullable Claim claim) {}
