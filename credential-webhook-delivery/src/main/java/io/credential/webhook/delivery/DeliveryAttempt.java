package io.credential.webhook.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.http.FailurePhase;
import io.credential.webhook.http.FailureReason;

/**
 * An attempt of a delivery.
 *
 * @param attempt its number, from 1
 * @param startedAt when it started
 * @param duration how long it took, including DNS
 * @param requestHeaders the headers of the request, with its signature; empty if it failed before they were made
 * @param responseStatus the HTTP status, even if the rest of the response was broken; null if there was no response
 * @param phase the step that failed; null if it succeeded, did not get as far as the first step, or the step is unknown
 * @param reason why it failed; null if it succeeded. Not for tenants: unlike the error, it tells a host that does not
 *     exist from one with an internal address
 * @param error why it failed, as a sentence; null if it succeeded
 * @param location where a redirect leads, up to 1024 characters, with the values of parameters masked; null if there is
 *     none
 * @param responseHeaders if it failed, up to 16 headers of the response; names are in lower case, values have up to 256
 *     characters, and those that may be secrets are masked
 * @param responseBody the first 2 KiB of the response body as text; null if there was none
 * @since 0.1.0
 */
public record DeliveryAttempt(
        int attempt,
        Instant startedAt,
        Duration duration,
        Map<String, String> requestHeaders,
        @Nullable Integer responseStatus,
        @Nullable FailurePhase phase,
        @Nullable FailureReason reason,
        @Nullable String error,
        @Nullable String location,
        Map<String, String> responseHeaders,
        @Nullable String responseBody) {

    public DeliveryAttempt {
        requestHeaders = Collections.unmodifiableMap(new LinkedHashMap<>(requestHeaders));
        responseHeaders = Collections.unmodifiableMap(new LinkedHashMap<>(responseHeaders));
    }
}
