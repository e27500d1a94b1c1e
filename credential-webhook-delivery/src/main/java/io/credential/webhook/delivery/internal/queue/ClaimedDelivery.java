package io.credential.webhook.delivery.internal.queue;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryStatus;

/**
 * A delivery that this dispatcher may attempt.
 *
 * @param attempt the number of the attempt, from 1
 * @param takeovers how many of its last consecutive claims ended because the node died
 * @param dueAt when it was due, in Unix milliseconds
 * @param createdAt when the event was dispatched, in Unix milliseconds
 * @param requested whether a user asked for this attempt, which is then made even if the endpoint is paused
 * @param audience the audience of the endpoint at dispatch; null for none
 * @param subscriber null if the endpoint was removed
 * @param payloadSize in bytes
 * @param payload null if it is too large to be read before the attempt starts
 * @param traceParent the W3C trace context of the dispatch, as it is stored; null for none
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
        boolean requested,
        @Nullable String audience,
        @Nullable Subscriber subscriber,
        int payloadSize,
        @Nullable Payload payload,
        @Nullable String traceParent) {

    /** One takeover is normal: a crash affects everything in flight. */
    private static final int SUSPECT_TAKEOVERS = 2;

    /** Returns whether it was in flight when several nodes crashed in a row, of which it may be the cause. */
    public boolean isSuspect() {
        return takeovers >= SUSPECT_TAKEOVERS;
    }

    /** Returns the delivery as it is shown during the attempt, which counts only once it has ended. */
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
                null,
                Instant.ofEpochMilli(createdAt),
                null);
    }
}
