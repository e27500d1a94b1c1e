package io.credential.webhook.http;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * One POST of a webhook. Immutable except for the body, which is not copied and must not be changed until the response
 * has arrived.
 *
 * @since 0.1.0
 */
public final class WebhookRequest {

    /** What a name may have beside letters and digits; RFC 9110, section 5.6.2. */
    private static final String NAME_PUNCTUATION = "!#$%&'*+-.^_`|~";

    /** What frames the message or speaks to the next hop is the transport's own. */
    private static final Set<String> RESERVED = Set.of(
            "host",
            "content-length",
            "transfer-encoding",
            "connection",
            "keep-alive",
            "upgrade",
            "expect",
            "te",
            "trailer",
            "proxy-authorization",
            "proxy-connection");

    private final VettedDestination destination;
    private final Map<String, String> headers;
    private final byte[] body;
    private final Duration timeout;

    /**
     * @param headers names and values in the order in which they are sent, {@code Content-Type} among them
     * @param timeout for connect, TLS, headers and body together; more than zero
     * @throws IllegalArgumentException if a header is not allowed or could not be sent, or the time-out is not positive
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

    /** Whether the transport alone sets this header, which then cannot be one of a request; in any case. */
    public static boolean isReserved(String name) {
        return RESERVED.contains(name.toLowerCase(Locale.ROOT));
    }

    private static void check(String name, String value) {
        if (!isName(name) || isReserved(name)) {
            throw new IllegalArgumentException("\"" + name + "\" cannot be the header of a webhook");
        }
        if (!isValue(value)) {
            throw new IllegalArgumentException(
                    "The value of the header " + name + " has characters outside visible ASCII, or blanks around it");
        }
    }

    private static boolean isName(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letterOrDigit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!letterOrDigit && NAME_PUNCTUATION.indexOf(c) < 0) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    private static boolean isValue(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' || c >= 0x7f) {
                return false;
            }
        }
        return !value.startsWith(" ") && !value.endsWith(" ");
    }

    public VettedDestination destination() {
        return destination;
    }

    public Map<String, String> headers() {
        return headers;
    }

    /** The bytes that were given, not a copy. */
    public byte[] body() {
        return body;
    }

    public Duration timeout() {
        return timeout;
    }

    /** The destination without its path; headers hold signatures and the body is not ours to show. */
    @Override
    public String toString() {
        return "POST " + destination;
    }
}
