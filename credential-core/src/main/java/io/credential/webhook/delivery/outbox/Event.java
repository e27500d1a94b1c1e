package io.credential.webhook.delivery.outbox;

import java.util.Arrays;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.queue.Payload;

/**
 * An event as it is stored.
 *
 * @param audience null for all
 * @param idempotencyKey null for none
 * @param traceParent the W3C trace context of the dispatch; null for none
 * @param createdAt in Unix milliseconds
 */
record Event(
        String eventId,
        String eventType,
        @Nullable String audience,
        @Nullable String idempotencyKey,
        Payload payload,
        @Nullable String traceParent,
        long createdAt) {

    /** Returns whether another event is the same, so that it may have the same idempotency key. */
    boolean isSameAs(Event other) {
        return eventType.equals(other.eventType)
                && Objects.equals(audience, other.audience)
                && Arrays.equals(payload.bytes(), other.payload.bytes());
    }
}
