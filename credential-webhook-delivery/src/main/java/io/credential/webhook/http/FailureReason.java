package io.credential.webhook.http;

import java.util.Arrays;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Why an attempt to send a webhook failed. The texts are stable.
 *
 * @since 0.1.0
 */
public enum FailureReason {
    /** The URL is malformed. */
    URL_MALFORMED("url-malformed", null),
    /** The host name could not be resolved, or not in time. */
    DNS_FAILED("dns-failed", FailurePhase.RESOLVE),
    /** The destination policy forbids the protocol or an address of the host. */
    DESTINATION_FORBIDDEN("destination-forbidden", FailurePhase.RESOLVE),
    /** Nothing listens on the port, or a firewall refused the connection. */
    REFUSED("refused", FailurePhase.CONNECT),
    /** No address of the host can be reached. */
    UNREACHABLE("unreachable", FailurePhase.CONNECT),
    /** The egress proxy could not be reached, or opened no connection to the destination. */
    PROXY_FAILED("proxy-failed", FailurePhase.CONNECT),
    /** A certificate has expired, or is not valid yet. */
    TLS_EXPIRED("tls-expired", FailurePhase.TLS),
    /** The certificate is self-signed, was issued by an unknown authority, or was revoked. */
    TLS_UNTRUSTED("tls-untrusted", FailurePhase.TLS),
    /** The certificate was issued for another host name. */
    TLS_WRONG_NAME("tls-wrong-name", FailurePhase.TLS),
    /** The receiver answered the TLS handshake with something else, for example plain HTTP. */
    NOT_TLS("not-tls", FailurePhase.TLS),
    /** The TLS handshake failed for another reason, for example because the receiver requires a client certificate. */
    TLS_FAILED("tls-failed", FailurePhase.TLS),
    /** The timeout passed. */
    TIMED_OUT("timed-out", null),
    /** The receiver closed the connection before it sent a response. */
    CLOSED("closed", null),
    /** The status line and headers of the response exceed a limit. */
    RESPONSE_HEAD_TOO_LARGE("response-head-too-large", FailurePhase.RESPONSE),
    /** The response is not valid HTTP/1.1. */
    RESPONSE_MALFORMED("response-malformed", FailurePhase.RESPONSE),
    /** The connection was closed within the response. */
    RESPONSE_TRUNCATED("response-truncated", FailurePhase.RESPONSE),
    /** The status of the response is not 200 to 299. */
    HTTP_STATUS("http-status", FailurePhase.RESPONSE),
    /** The secret of the endpoint cannot be opened. */
    SECRET_UNREADABLE("secret-unreadable", null),
    /** This node is too busy; the attempt is postponed and not counted. */
    NODE_OVERLOADED("node-overloaded", null),
    /** This node was stopped; the attempt is postponed and not counted. */
    NODE_STOPPED("node-stopped", null),
    /** A defect of this node or of the application's transport; the log shows it. */
    UNEXPECTED("unexpected", null);

    private final String text;
    private final @Nullable FailurePhase phase;

    FailureReason(String text, @Nullable FailurePhase phase) {
        this.text = text;
        this.phase = phase;
    }

    /** Returns the constant with this text; empty for an unknown text, for example one of a newer version. */
    public static Optional<FailureReason> ofText(@Nullable String text) {
        return Arrays.stream(values())
                .filter(constant -> constant.text.equals(text))
                .findFirst();
    }

    /** Returns the stable text, for example {@code tls-expired}. */
    public String text() {
        return text;
    }

    /** Returns the only phase in which this happens; null if there are several, or it happens before the first. */
    public @Nullable FailurePhase phase() {
        return phase;
    }
}
