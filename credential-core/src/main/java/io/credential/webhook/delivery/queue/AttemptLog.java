package io.credential.webhook.delivery.queue;

import org.jspecify.annotations.Nullable;

/**
 * An attempt as it is stored.
 *
 * @param startedAt in Unix milliseconds
 * @param duration in milliseconds
 * @param requestHeaders {@linkplain RequestHeaders as text}; null if the attempt failed before they were made
 * @param responseStatus null if there was no response
 * @param error null if the attempt succeeded
 * @param responseBody the beginning of the body; null if there was no response
 * @since 0.1.0
 */
public record AttemptLog(
        long startedAt,
        long duration,
        @Nullable String requestHeaders,
        @Nullable Integer responseStatus,
        @Nullable String error,
        @Nullable String responseBody) {}
