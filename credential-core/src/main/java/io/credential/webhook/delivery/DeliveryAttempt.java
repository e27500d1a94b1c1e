package io.credential.webhook.delivery;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * One attempt of a delivery.
 *
 * @param attempt its number
 * @param startedAt when it began
 * @param duration how long it took, DNS included
 * @param responseStatus the HTTP status; null when there was no answer
 * @param error what it failed for; null when it succeeded
 * @param responseBody the first 2 KiB of the answer as text; null when there was none
 * @since 0.1.0
 */
public record DeliveryAttempt(
        int attempt,
        Instant startedAt,
        Duration duration,
        @Nullable Integer responseStatus,
        @Nullable String error,
        @Nullable String responseBody) {}
