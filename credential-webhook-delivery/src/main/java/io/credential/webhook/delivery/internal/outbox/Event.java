package io.credential.webhook.delivery.internal.outbox;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.internal.queue.Payload;

/**
 * An event as it is stored.
 *
 * @param audience null for none
 * @param everyAudience whether it may reach endpoints that have an audience although it has none
 * @param idempotencyKey null for none
 * @param payloadDigest the {@link PayloadDigest}; null without an idempotency key
 * @param traceParent the W3C trace context of the dispatch; null for none
 * @param createdAt in Unix milliseconds
 */
record Event(
        String eventId,
        String eventType,
        @Nullable String audience,
        boolean everyAudience,
        @Nullable String idempotencyKey,
        @Nullable String payloadDigest,
        Payload payload,
        @Nullable String traceParent,
        long createdAt) {

    /** Returns whether it must not be stored if it would reach an endpoint that has an audience. */
    boolean avoidsAudiences() {
        return audience == null && !everyAudience;
    }
}
