package io.credential.webhook.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An attempt of a delivery.
 *
 * @param attempt its number, from 1
 * @param startedAt when it started
 * @param duration how long it took, including DNS
 * @param requestHeaders the headers of the request, with its signature; empty if it failed before they were made
 * @param responseStatus the HTTP status; null if there was no response
 * @param error why it failed; null if it succeeded
 * @param responseBody the first 2 KiB of the response body as text; null if there was none
 * @since 0.1.0
 */
public record DeliveryAttempt(
        int attempt,
        Instant startedAt,
        Duration duration,
        Map<String, String> requestHeaders,
        @Nullable Integer responseStatus,
        @Nullable String error,
        @Nullable String responseBody) {

    public DeliveryAttempt {
        requestHeaders = Collections.unmodifiableMap(new LinkedHashMap<>(requestHeaders));
    }
}
