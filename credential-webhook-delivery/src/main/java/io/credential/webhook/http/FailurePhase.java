package io.credential.webhook.http;

import java.util.Arrays;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The step at which an attempt to send a webhook failed. The texts are stable.
 *
 * @since 0.1.0
 */
public enum FailurePhase {
    /** The URL was checked, and its host looked up in DNS. */
    RESOLVE("resolve"),
    /** A connection was made to an address of the host, or to the egress proxy and through it. */
    CONNECT("connect"),
    /** The TLS handshake. */
    TLS("tls"),
    /** The request was sent. */
    SEND("send"),
    /** The request was sent completely; the response was awaited or read. */
    RESPONSE("response");

    private final String text;

    FailurePhase(String text) {
        this.text = text;
    }

    /** Returns the constant with this text; empty for an unknown text, for example one of a newer version. */
    public static Optional<FailurePhase> ofText(@Nullable String text) {
        return Arrays.stream(values())
                .filter(constant -> constant.text.equals(text))
                .findFirst();
    }

    /** Returns the stable text, for example {@code connect}. */
    public String text() {
        return text;
    }
}
