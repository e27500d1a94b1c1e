package io.credential.webhook.delivery.outbox;

import java.util.Arrays;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.queue.Payload;

/**
 * Something that happened, as it is stored.
 *
 * @param audience null reaches all
 * @param idempotencyKey null for none
 * @param createdAt in unix milliseconds
 */
record Event(
        String eventId,
        String eventType,
        @Nullable String audience,
        @Nullable String idempotencyKey,
        Payload payload,
        long createdAt) {

    /** Whether another dispatch was of the same event, so that its key may be the same. */
    boolean isSameAs(Event other) {
        return eventType.equals(other.eventType)
                && Objects.equals(audience, other.audience)
                && Arrays.equals(payload.bytes(), other.payload.bytes());
    }
}
