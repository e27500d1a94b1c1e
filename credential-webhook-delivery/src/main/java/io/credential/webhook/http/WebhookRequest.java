package io.credential.webhook.http;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

import io.credential.webhook.internal.TransportHeaders;

/**
 * A POST request with a webhook. Immutable except for the body, which is not copied and must not be changed before the
 * response has arrived.
 *
 * @since 0.1.0
 */
public final class WebhookRequest {

    /** A token of RFC 9110, section 5.6.2. */
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private final VettedDestination destination;
    private final Map<String, String> headers;
    private final byte[] body;
    private final Duration timeout;

    /**
     * @param headers names and values in the order in which they are sent, including {@code Content-Type}
     * @param timeout for connect, TLS, headers and body together; more than zero
     * @throws IllegalArgumentException if a header is reserved or malformed, or the timeout is not positive
     */
    public WebhookRequest(VettedDestination destination, Map<String, String> headers, byte[] body, Duration timeout) {
        headers.forEach(WebhookRequest::check);
        if (timeout.isZero() || timeout.isNegative()) {
            throw new IllegalArgumentException("The request timeout must be positive, not " + timeout);
        }
        this.destination = destination;
        this.headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        this.body = body;
        this.timeout = timeout;
    }

    private static void check(String name, String value) {
        if (!NAME.matcher(name).matches() || TransportHeaders.contains(name)) {
            throw new IllegalArgumentException("\"" + name + "\" cannot be a header of a webhook");
        }
        if (!isVisibleAscii(value) || value.startsWith(" ") || value.endsWith(" ")) {
            throw new IllegalArgumentException("The value of the header " + name
                    + " has characters outside visible ASCII, or leading or trailing blanks");
        }
    }

    /** A loop, because each attempt checks a dozen values. */
    private static boolean isVisibleAscii(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' || c >= 0x7f) {
                return false;
            }
        }
        return true;
    }

    public VettedDestination destination() {
        return destination;
    }

    public Map<String, String> headers() {
        return headers;
    }

    /** Returns the given array, not a copy. */
    public byte[] body() {
        return body;
    }

    public Duration timeout() {
        return timeout;
    }

    /** Without path, headers and body, which may contain secrets. */
    @Override
    public String toString() {
        return "POST " + destination;
    }
}
