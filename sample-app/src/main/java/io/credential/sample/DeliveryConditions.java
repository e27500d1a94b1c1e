package io.credential.sample;

import java.time.Instant;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.http.FailureReason;

/** The conditions of a delivery query; absent values match all deliveries. Times are Unix milliseconds. */
record DeliveryConditions(
        @Nullable String endpointId,
        @Nullable String eventType,
        @Nullable String status,
        @Nullable Integer responseStatus,
        @Nullable String reason,
        @Nullable Long from,
        @Nullable Long to,
        @Nullable String eventId,
        @Nullable Integer minAttempts) {

    /** @throws ResponseStatusException 400 if the status or the reason is unknown */
    DeliveryQuery toQuery() {
        DeliveryQuery query = DeliveryQuery.all();
        query = with(query, endpointId, DeliveryQuery::withEndpoint);
        query = with(query, eventType, DeliveryQuery::withEventType);
        query = with(query, status, (all, text) -> all.withStatus(statusOf(text)));
        query = with(query, responseStatus, DeliveryQuery::withResponseStatus);
        query = with(query, reason, (all, text) -> all.withReason(reasonOf(text)));
        query = with(query, from, (all, millis) -> all.withCreatedFrom(Instant.ofEpochMilli(millis)));
        query = with(query, to, (all, millis) -> all.withCreatedBefore(Instant.ofEpochMilli(millis)));
        query = with(query, eventId, DeliveryQuery::withEvent);
        return with(query, minAttempts, DeliveryQuery::withMinAttempts);
    }

    private static <T> DeliveryQuery with(
            DeliveryQuery query, @Nullable T value, BiFunction<DeliveryQuery, T, DeliveryQuery> condition) {
        return value == null ? query : condition.apply(query, value);
    }

    private static FailureReason reasonOf(String text) {
        return FailureReason.ofText(text)
                .orElseThrow(() -> new ResponseStatusException(
                        HttpStatus.BAD_REQUEST,
                        "reason must be one of those of failed attempts, for example timed-out"));
    }

    private static DeliveryStatus statusOf(String text) {
        return DeliveryStatus.ofText(text)
                .orElseThrow(() -> new ResponseStatusException(
                        HttpStatus.BAD_REQUEST, "status must be one of: pending, in-flight, delivered, dead"));
    }
}
