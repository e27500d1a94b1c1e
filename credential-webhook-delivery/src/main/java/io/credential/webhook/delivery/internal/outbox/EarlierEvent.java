package io.credential.webhook.delivery.internal.outbox;

import java.util.Arrays;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.internal.queue.Payload;

/**
 * The event that was stored under an idempotency key.
 *
 * @param audience null for all
 * @param payloadDigest the {@link PayloadDigest}
 * @param payload null if it was erased
 */
record EarlierEvent(
        String eventId,
        String eventType,
        @Nullable String audience,
        @Nullable String payloadDigest,
        @Nullable Payload payload) {

    /** Returns whether an event is the same, so that it may have the same idempotency key. */
    boolean isSameAs(Event event, PayloadDigest digest) {
        return eventType.equals(event.eventType())
                && Objects.equals(audience, event.audience())
                && hasPayloadOf(event, digest);
    }

    private boolean hasPayloadOf(Event event, PayloadDigest digest) {
        return payload == null
                ? digest.matches(payloadDigest, event)
                : saysTheSame(payload.bytes(), event.payload().bytes());
    }

    /** Equal bytes, the usual case, need no canonical form. */
    private static boolean saysTheSame(byte[] earlier, byte[] repeated) {
        return Arrays.equals(earlier, repeated) || Arrays.equals(CanonicalJson.of(earlier), CanonicalJson.of(repeated));
    }
}
