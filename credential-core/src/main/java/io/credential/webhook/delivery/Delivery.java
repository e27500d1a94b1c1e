package io.credential.webhook.delivery;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * One event on its way to one endpoint.
 *
 * @param deliveryId 32 hexadecimal digits, the same in every attempt
 * @param eventId the event; several endpoints get deliveries of the same one
 * @param endpointId where it goes
 * @param eventType the name of the event
 * @param status where it stands
 * @param attempts how many attempts were begun, since the last retry by hand if there was one
 * @param nextAttemptAt when the next attempt is due; once it is delivered or dead, when the last one was
 * @param claimedAt when the attempt under way was claimed; null when none is
 * @param deliveredAt when the endpoint accepted it, else null
 * @param responseStatus the HTTP status of the last answer; null when there was none
 * @param lastError what the last attempt failed for; null when it did not, or there was none
 * @param createdAt when the event was dispatched
 * @since 0.1.0
 */
public record Delivery(
        String deliveryId,
        String eventId,
        String endpointId,
        String eventType,
        DeliveryStatus status,
        int attempts,
        Instant nextAttemptAt,
        @Nullable Instant claimedAt,
        @Nullable Instant deliveredAt,
        @Nullable Integer responseStatus,
        @Nullable String lastError,
        Instant createdAt) {}
