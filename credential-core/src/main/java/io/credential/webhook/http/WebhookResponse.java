package io.credential.webhook.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

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

    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,10}");

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
     * Returns how long the receiver asks to wait, given as seconds or as an HTTP date.
     *
     * @return never negative; empty if the header is missing or cannot be parsed
     */
    public Optional<Duration> retryAfter(Instant now) {
        if (retryAfterHeader == null) {
            return Optional.empty();
        }
        String text = retryAfterHeader.strip();
        if (SECONDS.matcher(text).matches()) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
        }
        try {
            Instant at = DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from);
            return Optional.of(at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
