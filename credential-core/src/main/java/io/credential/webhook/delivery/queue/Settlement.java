package io.credential.webhook.delivery.queue;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryStatus;

/**
 * The outcome of a claim, to be stored.
 *
 * @param status pending, delivered or dead
 * @param attempts as they count from now on
 * @param nextAttemptAt in unix milliseconds; of a delivery that is through, when it was due
 * @param settledAt when it was delivered or given up, in unix milliseconds; null when it is pending
 * @param error what it failed for; null when it did not
 * @param reason why it is dead; null when it is not
 * @param log null when nothing was attempted
 * @since 0.1.0
 */
public record Settlement(
        ClaimedDelivery claimed,
        DeliveryStatus status,
        int attempts,
        long nextAttemptAt,
        @Nullable Long settledAt,
        @Nullable String error,
        @Nullable DeadReason reason,
        @Nullable AttemptLog log) {

    /** The error of deliveries whose endpoint was removed. */
    public static final String ENDPOINT_REMOVED = "endpoint removed";

    /**
     * The endpoint accepted it.
     *
     * @param now in unix milliseconds
     */
    public static Settlement delivered(ClaimedDelivery claimed, long now, AttemptLog log) {
        return new Settlement(
                claimed, DeliveryStatus.DELIVERED, claimed.attempt(), claimed.dueAt(), now, null, null, log);
    }

    /**
     * The attempt failed, and another follows.
     *
     * @param nextAttemptAt in unix milliseconds
     */
    public static Settlement failed(ClaimedDelivery claimed, long nextAttemptAt, AttemptLog log) {
        return new Settlement(
                claimed, DeliveryStatus.PENDING, claimed.attempt(), nextAttemptAt, null, log.error(), null, log);
    }

    /**
     * The attempt failed, and no other follows.
     *
     * @param now in unix milliseconds
     */
    public static Settlement dead(ClaimedDelivery claimed, long now, DeadReason reason, AttemptLog log) {
        return new Settlement(
                claimed, DeliveryStatus.DEAD, claimed.attempt(), claimed.dueAt(), now, log.error(), reason, log);
    }

    /** Given up without the attempt that the claim was for. */
    public static Settlement deadUnattempted(ClaimedDelivery claimed, long now, DeadReason reason, String error) {
        return new Settlement(
                claimed, DeliveryStatus.DEAD, claimed.attempt() - 1, claimed.dueAt(), now, error, reason, null);
    }

    /** Given back as if it had not been claimed. */
    public static Settlement released(ClaimedDelivery claimed) {
        return new Settlement(
                claimed, DeliveryStatus.PENDING, claimed.attempt() - 1, claimed.dueAt(), null, null, null, null);
    }

    /** Given back, for later: what could not be attempted now could not be a moment from now either. */
    public static Settlement postponed(ClaimedDelivery claimed, long nextAttemptAt) {
        return new Settlement(
                claimed, DeliveryStatus.PENDING, claimed.attempt() - 1, nextAttemptAt, null, null, null, null);
    }

    /** Whether it was given back: what the last attempt left behind then stays. */
    boolean isRelease() {
        return status == DeliveryStatus.PENDING && log == null;
    }

    /** Whether an attempt was made, which counts. */
    public boolean attempted() {
        return log != null;
    }

    @Nullable Long deliveredAt() {
        return status == DeliveryStatus.DELIVERED ? settledAt : null;
    }

    @Nullable Long deadAt() {
        return status == DeliveryStatus.DEAD ? settledAt : null;
    }

    @Nullable Integer responseStatus() {
        return log == null ? null : log.responseStatus();
    }

    /** As it is shown from now on. */
    public Delivery delivery() {
        Long deliveredAt = deliveredAt();
        return new Delivery(
                claimed.deliveryId(),
                claimed.eventId(),
                claimed.endpointId(),
                claimed.eventType(),
                status,
                attempts,
                Instant.ofEpochMilli(nextAttemptAt),
                null,
                deliveredAt == null ? null : Instant.ofEpochMilli(deliveredAt),
                responseStatus(),
                error,
                Instant.ofEpochMilli(claimed.createdAt()));
    }
}
