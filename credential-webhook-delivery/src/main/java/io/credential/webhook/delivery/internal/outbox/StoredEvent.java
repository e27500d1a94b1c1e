package io.credential.webhook.delivery.internal.outbox;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.internal.queue.Subscriber;

/**
 * The result of storing a {@link NewEvent}.
 *
 * @param isNew false if its idempotency key was used before, or it has no audience and would reach an endpoint that has
 *     one; nothing was stored then
 * @param deliveries one for each endpoint that subscribes to the event, in the order of their ids
 */
record StoredEvent(boolean isNew, List<FannedOut> deliveries) {

    static final StoredEvent NOT_STORED = new StoredEvent(false, List.of());

    /**
     * A delivery of the event to one endpoint.
     *
     * @param audience the audience of the endpoint; null for none
     * @param reserved whether it is in flight under the claim of the {@link NewEvent}
     */
    record FannedOut(
            String deliveryId, String endpointId, @Nullable String audience, Subscriber subscriber, boolean reserved) {}
}
