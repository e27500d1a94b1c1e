package io.credential.webhook.delivery;

import java.time.Instant;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.http.FailureReason;

/**
 * Selects deliveries to list. A delivery matches if it matches every condition that is given.
 *
 * @param endpointId the endpoint; null for all
 * @param eventType the type of the event; null for all
 * @param status the status; null for all
 * @param responseStatus the HTTP status of the last response, 100 to 599; null for all, even without a response
 * @param reason why the last attempt failed; null for all
 * @param audience the audience of the endpoint at dispatch; null for all, even without an audience
 * @param createdFrom the time of dispatch from which on deliveries match; null for the oldest
 * @param createdBefore the time of dispatch before which deliveries match; null for the newest
 * @param eventId the event; null for all
 * @param idempotencyKey the idempotency key of the event; null for all
 * @param minAttempts how many attempts were made at least, 0 or more
 * @param limit how many to list at most, 1 to {@value #MAX_LIMIT}
 * @param cursor where the previous page ended; null for the first page
 * @since 0.1.0
 */
public record DeliveryQuery(
        @Nullable String endpointId,
        @Nullable String eventType,
        @Nullable DeliveryStatus status,
        @Nullable Integer responseStatus,
        @Nullable FailureReason reason,
        @Nullable String audience,
        @Nullable Instant createdFrom,
        @Nullable Instant createdBefore,
        @Nullable String eventId,
        @Nullable String idempotencyKey,
        int minAttempts,
        int limit,
        @Nullable String cursor) {

    /** The default limit. */
    public static final int DEFAULT_LIMIT = 100;

    /** The largest limit. */
    public static final int MAX_LIMIT = 1000;

    private static final DeliveryQuery ALL =
            new DeliveryQuery(null, null, null, null, null, null, null, null, null, null, 0, DEFAULT_LIMIT, null);

    /** @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if a number or the cursor is invalid */
    public DeliveryQuery {
        DispatcherRules.requireLimit(limit);
        DispatcherRules.requireThat(minAttempts >= 0, "minAttempts must be 0 or more, not " + minAttempts);
        DispatcherRules.requireThat(
                responseStatus == null || (responseStatus >= 100 && responseStatus <= 599),
                "responseStatus must be 100 to 599, not " + responseStatus);
        DispatcherRules.requireThat(
                cursor == null || DispatcherRules.isId(cursor),
                "cursor must be the nextCursor of a page; omit it for the first page");
    }

    /** Returns a query for the newest 100 deliveries. */
    public static DeliveryQuery all() {
        return ALL;
    }

    /**
     * Returns a copy for one endpoint.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null
     */
    public DeliveryQuery withEndpoint(String endpointId) {
        String given = DispatcherRules.require("endpointId", endpointId);
        return with(copy -> copy.endpointId = given);
    }

    /**
     * Returns a copy for one type of events.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null
     */
    public DeliveryQuery withEventType(String eventType) {
        String given = DispatcherRules.require("eventType", eventType);
        return with(copy -> copy.eventType = given);
    }

    /**
     * Returns a copy for one status.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null
     */
    public DeliveryQuery withStatus(DeliveryStatus status) {
        DeliveryStatus given = DispatcherRules.require("status", status);
        return with(copy -> copy.status = given);
    }

    /**
     * Returns a copy for one HTTP status of the last response.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is not 100 to 599
     */
    public DeliveryQuery withResponseStatus(int responseStatus) {
        return with(copy -> copy.responseStatus = responseStatus);
    }

    /**
     * Returns a copy for one reason of the last failed attempt.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null
     */
    public DeliveryQuery withReason(FailureReason reason) {
        FailureReason given = DispatcherRules.require("reason", reason);
        return with(copy -> copy.reason = given);
    }

    /**
     * Returns a copy for one audience.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null
     */
    public DeliveryQuery withAudience(String audience) {
        String given = DispatcherRules.require("audience", audience);
        return with(copy -> copy.audience = given);
    }

    /** Returns a copy for events that were dispatched at this time or later; null for all. */
    public DeliveryQuery withCreatedFrom(@Nullable Instant from) {
        return with(copy -> copy.createdFrom = from);
    }

    /** Returns a copy for events that were dispatched before this time; null for all. */
    public DeliveryQuery withCreatedBefore(@Nullable Instant before) {
        return with(copy -> copy.createdBefore = before);
    }

    /**
     * Returns a copy for one event.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null
     */
    public DeliveryQuery withEvent(String eventId) {
        String given = DispatcherRules.require("eventId", eventId);
        return with(copy -> copy.eventId = given);
    }

    /**
     * Returns a copy for the event with an idempotency key.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null
     */
    public DeliveryQuery withIdempotencyKey(String idempotencyKey) {
        String given = DispatcherRules.require("idempotencyKey", idempotencyKey);
        return with(copy -> copy.idempotencyKey = given);
    }

    /**
     * Returns a copy for deliveries with at least this many attempts, counted since the last manual retry.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is negative
     */
    public DeliveryQuery withMinAttempts(int minAttempts) {
        return with(copy -> copy.minAttempts = minAttempts);
    }

    /**
     * Returns a copy with another limit.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the limit is out of range
     */
    public DeliveryQuery withLimit(int limit) {
        return with(copy -> copy.limit = limit);
    }

    /**
     * Returns a copy for the page after the one with this {@link DeliveryPage#nextCursor()}.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null, as on the last page, or not
     *     from a page
     */
    public DeliveryQuery after(String cursor) {
        String given = DispatcherRules.require("cursor", cursor);
        return with(copy -> copy.cursor = given);
    }

    private DeliveryQuery with(Consumer<Copy> change) {
        Copy copy = new Copy(this);
        change.accept(copy);
        return copy.toQuery();
    }

    private static final class Copy {

        private @Nullable String endpointId;
        private @Nullable String eventType;
        private @Nullable DeliveryStatus status;
        private @Nullable Integer responseStatus;
        private @Nullable FailureReason reason;
        private @Nullable String audience;
        private @Nullable Instant createdFrom;
        private @Nullable Instant createdBefore;
        private @Nullable String eventId;
        private @Nullable String idempotencyKey;
        private int minAttempts;
        private int limit;
        private @Nullable String cursor;

        Copy(DeliveryQuery query) {
            this.endpointId = query.endpointId;
            this.eventType = query.eventType;
            this.status = query.status;
            this.responseStatus = query.responseStatus;
            this.reason = query.reason;
            this.audience = query.audience;
            this.createdFrom = query.createdFrom;
            this.createdBefore = query.createdBefore;
            this.eventId = query.eventId;
            this.idempotencyKey = query.idempotencyKey;
            this.minAttempts = query.minAttempts;
            this.limit = query.limit;
            this.cursor = query.cursor;
        }

        DeliveryQuery toQuery() {
            return new DeliveryQuery(
                    endpointId,
                    eventType,
                    status,
                    responseStatus,
                    reason,
                    audience,
                    createdFrom,
                    createdBefore,
                    eventId,
                    idempotencyKey,
                    minAttempts,
                    limit,
                    cursor);
        }
    }
}
