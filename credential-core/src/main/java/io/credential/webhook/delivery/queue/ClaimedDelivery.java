package io.credential.webhook.delivery.queue;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryStatus;

/**
 * A delivery that this dispatcher may attempt.
 *
 * @param attempt the number of the attempt, from 1
 * @param takeovers how many consecutive claims of it ended because their node died
 * @param dueAt when it was due, in unix milliseconds
 * @param createdAt when the event was dispatched, in unix milliseconds
 * @param audience of the endpoint at dispatch; null for none
 * @param subscriber null when the endpoint was removed
 * @param payloadSize in bytes
 * @param payload null when it is so large that it is read once the attempt starts
 * @since 0.1.0
 */
public record ClaimedDelivery(
        String deliveryId,
        String eventId,
        String endpointId,
        String eventType,
        int attempt,
        int takeovers,
        long dueAt,
        long createdAt,
        Claim claim,
        @Nullable String audience,
        @Nullable Subscriber subscriber,
        int payloadSize,
        @Nullable Payload payload) {

    /** As it is shown while it is under way; the attempt counts once it has ended. */
    public Delivery inFlight() {
        return new Delivery(
                deliveryId,
                eventId,
                endpointId,
                eventType,
                DeliveryStatus.IN_FLIGHT,
                attempt - 1,
                Instant.ofEpochMilli(dueAt),
                Instant.ofEpochMilli(claim.claimedAt()),
                null,
                null,
                null,
                Instant.ofEpochMilli(createdAt));
    }
}
