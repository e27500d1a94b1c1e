package io.credential.webhook.delivery;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.internal.DispatcherRules;

/**
 * Selects events whose payloads are to be erased. An event matches if it matches every condition that is given; at least one
 * must be.
 *
 * @param eventId the event; null for all
 * @param audience the audience that the event was dispatched to; null for all, even without an audience
 * @param createdBefore the time before which it was dispatched, exclusive; null for any
 * @param includesPending whether events with pending deliveries are erased too; these deliveries are then dead
 * @param cursor where the previous call ended; null for the first call
 * @since 0.1.0
 */
public record ErasureQuery(
        @Nullable String eventId,
        @Nullable String audience,
        @Nullable Instant createdBefore,
        boolean includesPending,
        @Nullable String cursor) {

    /**
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if no condition is given, or if an id or
     *     the audience is malformed
     */
    public ErasureQuery {
        DispatcherRules.requireThat(
                eventId != null || audience != null || createdBefore != null,
                "An erasure needs an event, an audience, or the time before which events were dispatched");
        DispatcherRules.requireThat(
                eventId == null || DispatcherRules.isId(eventId), "eventId must be 32 hexadecimal digits");
        if (audience != null) {
            var unused = DispatcherRules.requireAudience(audience);
        }
        DispatcherRules.requireThat(
                cursor == null || DispatcherRules.isId(cursor),
                "cursor must be the nextCursor of a result; omit it for the first call");
    }

    /**
     * Returns a query for one event.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null or malformed
     */
    public static ErasureQuery ofEvent(String eventId) {
        return new ErasureQuery(DispatcherRules.require("eventId", eventId), null, null, false, null);
    }

    /**
     * Returns a query for the events that were dispatched to one audience. Events without an audience do not match, even if
     * endpoints of this audience received them.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null or malformed
     */
    public static ErasureQuery ofAudience(String audience) {
        return new ErasureQuery(null, DispatcherRules.require("audience", audience), null, false, null);
    }

    /**
     * Returns a query for the events that were dispatched before a time.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null
     */
    public static ErasureQuery ofCreatedBefore(Instant before) {
        return new ErasureQuery(null, null, DispatcherRules.require("createdBefore", before), false, null);
    }

    /**
     * Returns a copy for events that were also dispatched before a time.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null
     */
    public ErasureQuery withCreatedBefore(Instant before) {
        return new ErasureQuery(
                eventId, audience, DispatcherRules.require("createdBefore", before), includesPending, cursor);
    }

    /** Returns a copy that includes events with pending deliveries; these deliveries are then dead. */
    public ErasureQuery includingPending() {
        return new ErasureQuery(eventId, audience, createdBefore, true, cursor);
    }

    /**
     * Returns a copy that continues after a call with this {@link ErasureResult#nextCursor()}.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null, as in the last result, or not
     *     from a result
     */
    public ErasureQuery after(String cursor) {
        return new ErasureQuery(
                eventId, audience, createdBefore, includesPending, DispatcherRules.require("cursor", cursor));
    }
}
