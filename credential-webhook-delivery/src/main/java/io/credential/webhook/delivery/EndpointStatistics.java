package io.credential.webhook.delivery;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * How attempts for an endpoint ended.
 *
 * @param lastSuccessAt as in {@link EndpointSummary}
 * @param failingSince as in {@link EndpointSummary}
 * @param hours the last 24 hours, the oldest first and the current one last, including those without attempts
 * @param eventTypes the same attempts by event type, in the order of the types
 * @since 0.1.0
 */
public record EndpointStatistics(
        @Nullable Instant lastSuccessAt,
        @Nullable Instant failingSince,
        List<HourlyAttempts> hours,
        List<EventTypeAttempts> eventTypes) {

    public EndpointStatistics {
        hours = List.copyOf(hours);
        eventTypes = List.copyOf(eventTypes);
    }
}
