package io.credential.webhook.delivery;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.http.FailureReason;

/**
 * The delivery of an event to an endpoint.
 *
 * @param deliveryId 32 hexadecimal digits, the same in every attempt
 * @param eventId the id of the event, which is the same for all endpoints
 * @param endpointId the id of the endpoint
 * @param eventType the type of the event
 * @param status the current status
 * @param attempts how many attempts were made, since the last manual retry if there was one
 * @param nextAttemptAt when the next attempt is due; if it is delivered or dead, when the last one was due
 * @param claimedAt when it was claimed for the current attempt; null if it is not in flight
 * @param deliveredAt when the endpoint accepted it; null if it has not
 * @param responseStatus the HTTP status of the last response; null if there was none
 * @param lastError why the last attempt failed, as a sentence; null if it did not, or there was none
 * @param lastReason the same for programs; null also if the delivery became dead without another attempt. Not for
 *     tenants: unlike the sentence, it tells a host that does not exist from one with an internal address
 * @param createdAt when the event was dispatched
 * @param payloadErasedAt when its payload was erased; null if it was not
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
        @Nullable FailureReason lastReason,
        Instant createdAt,
        @Nullable Instant payloadErasedAt) {}
