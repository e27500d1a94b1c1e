package io.credential.webhook.delivery.internal.outbox;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.internal.queue.Claim;

/**
 * An event to store.
 *
 * @param claim the claim under which its deliveries are stored in flight, as far as there is capacity; null if
 *     they are all stored as pending
 */
record NewEvent(Event event, @Nullable Claim claim) {}
