package io.credential.webhook.delivery.queue;

import org.jspecify.annotations.Nullable;

/**
 * What is kept of one attempt.
 *
 * @param startedAt in unix milliseconds
 * @param duration in milliseconds
 * @param responseStatus null without an answer
 * @param error null when it succeeded
 * @param responseBody the beginning of the answer, null without one
 * @since 0.1.0
 */
public record AttemptLog(
        long startedAt,
        long duration,
        @Nullable Integer responseStatus,
        @Nullable String error,
        @Nullable String responseBody) {}
