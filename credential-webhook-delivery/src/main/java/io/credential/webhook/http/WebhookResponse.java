package io.credential.webhook.http;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The response of the receiver, read to its end or to 16 KiB. A response without a length ends when the connection is
 * closed. Whether its body is complete is then unknown, and it is accepted if its headers are complete.
 *
 * @param status the status code; redirects are treated like any other response
 * @param body the first 2 KiB, read as UTF-8; invalid bytes, and NUL, which databases reject, are replaced with U+FFFD
 * @param retryAfterHeader the {@code Retry-After} header as received; null if there is none
 * @param headers the headers with their values as received, in the order of arrival; names are in lower case
 * @since 0.1.0
 */
public record WebhookResponse(
        int status, String body, @Nullable String retryAfterHeader, Map<String, List<String>> headers) {

    public WebhookResponse {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** Creates a response without further headers. */
    public WebhookResponse(int status, String body, @Nullable String retryAfterHeader) {
        this(status, body, retryAfterHeader, Map.of());
    }

    /** Returns whether the status is 200 to 299, so that the webhook was accepted. */
    public boolean successful() {
        return status >= 200 && status < 300;
    }

    /**
     * Returns how long the receiver asks to wait, given as seconds or as an HTTP date in any of its
     * three forms.
     *
     * @return never negative, at most a hundred years; empty if the header is missing or cannot be parsed
     */
    public Optional<Duration> retryAfter(Instant now) {
        return Optional.ofNullable(retryAfterHeader).flatMap(header -> RetryAfter.parse(header, now));
    }
}
