package io.credential.webhook.delivery.internal.queue;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.http.FailureReason;

/**
 * The outcome of a claim.
 *
 * @param status pending, delivered or dead
 * @param attempts the number of attempts to store
 * @param nextAttemptAt in Unix milliseconds; if it is delivered or dead, when the last attempt was due
 * @param settledAt when it was delivered or became dead, in Unix milliseconds; null if it is pending
 * @param error why it failed; null if it did not
 * @param reason why it is dead; null if it is not
 * @param log null if nothing was attempted
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

    /** @param now in Unix milliseconds */
    public static Settlement delivered(ClaimedDelivery claimed, long now, AttemptLog log) {
        return new Settlement(
                claimed, DeliveryStatus.DELIVERED, claimed.attempt(), claimed.dueAt(), now, null, null, log);
    }

    /** @param nextAttemptAt in Unix milliseconds */
    public static Settlement failed(ClaimedDelivery claimed, long nextAttemptAt, AttemptLog log) {
        return new Settlement(
                claimed, DeliveryStatus.PENDING, claimed.attempt(), nextAttemptAt, null, log.error(), null, log);
    }

    /** @param now in Unix milliseconds */
    public static Settlement dead(ClaimedDelivery claimed, long now, DeadReason reason, AttemptLog log) {
        return new Settlement(
                claimed, DeliveryStatus.DEAD, claimed.attempt(), claimed.dueAt(), now, log.error(), reason, log);
    }

    /** The delivery is dead without another attempt. */
    public static Settlement deadUnattempted(ClaimedDelivery claimed, long now, DeadReason reason, String error) {
        return new Settlement(
                claimed, DeliveryStatus.DEAD, claimed.attempt() - 1, claimed.dueAt(), now, error, reason, null);
    }

    /** The delivery is as it was before the claim. */
    public static Settlement released(ClaimedDelivery claimed) {
        return postponed(claimed, claimed.dueAt());
    }

    /** The same, but due later: what cannot be attempted now cannot be attempted a moment later either. */
    public static Settlement postponed(ClaimedDelivery claimed, long nextAttemptAt) {
        return new Settlement(
                claimed, DeliveryStatus.PENDING, claimed.attempt() - 1, nextAttemptAt, null, null, null, null);
    }

    /** Returns whether it was released or postponed: the stored results of the last attempt are then kept. */
    boolean isRelease() {
        return status == DeliveryStatus.PENDING && log == null;
    }

    /** Returns the death that it is, if it is one. */
    public Optional<DeadDelivery> death() {
        return Optional.ofNullable(reason)
                .map(cause -> new DeadDelivery(
                        claimed.deliveryId(),
                        claimed.eventId(),
                        claimed.eventType(),
                        claimed.endpointId(),
                        attempts,
                        cause,
                        Objects.requireNonNull(settledAt)));
    }

    /** Returns whether an attempt was made, which counts. */
    public boolean attempted() {
        return log != null;
    }

    @Nullable Long deliveredAt() {
        return status == DeliveryStatus.DELIVERED ? settledAt : null;
    }

    @Nullable Long deadAt() {
        return status == DeliveryStatus.DEAD ? settledAt : null;
    }

    /** Returns the HTTP status; null if there was no response. */
    public @Nullable Integer responseStatus() {
        return log == null ? null : log.responseStatus();
    }

    /** Returns why the attempt failed; null if it did not, or nothing was attempted. */
    public @Nullable FailureReason lastReason() {
        AttemptFailure failure = log == null ? null : log.failure();
        return failure == null ? null : failure.reason();
    }

    @Nullable String lastReasonText() {
        FailureReason last = lastReason();
        return last == null ? null : last.text();
    }

    /** Returns the delivery as it is shown from now on. */
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
                lastReason(),
                Instant.ofEpochMilli(claimed.createdAt()),
                null);
    }
}
