package io.credential.webhook.http;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a request got no complete response. The message names what went wrong and the host and port of the
 * destination, but no address: it may be shown to the user who entered the URL. The cause may contain more and is for
 * the operator.
 *
 * @since 0.1.0
 */
public final class WebhookTransportException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final FailureReason reason;
    private final @Nullable FailurePhase phase;
    private final transient @Nullable WebhookResponse response;

    /**
     * Creates a failure with all its details.
     *
     * @param phase null for that of the reason, if it has one
     * @param response what arrived of the response, at least its status; null if nothing did
     */
    public WebhookTransportException(
            FailureReason reason,
            @Nullable FailurePhase phase,
            @Nullable WebhookResponse response,
            String message,
            @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
        this.phase = phase == null ? reason.phase() : phase;
        this.response = response;
    }

    public WebhookTransportException(Failure failure, String message, Throwable cause) {
        this(failure.reason(), null, null, message, cause);
    }

    public WebhookTransportException(Failure failure, String message) {
        this(failure.reason(), null, null, message, null);
    }

    /** Returns the kind of failure. */
    public Failure failure() {
        return switch (reason) {
            case TIMED_OUT -> Failure.TIMEOUT;
            case URL_MALFORMED, DNS_FAILED, DESTINATION_FORBIDDEN, REFUSED, UNREACHABLE -> Failure.CONNECT;
            case TLS_EXPIRED, TLS_UNTRUSTED, TLS_WRONG_NAME, NOT_TLS, TLS_FAILED -> Failure.TLS;
            case CLOSED, RESPONSE_TRUNCATED -> Failure.RESET;
            case RESPONSE_HEAD_TOO_LARGE, RESPONSE_MALFORMED, HTTP_STATUS, SECRET_UNREADABLE, UNEXPECTED ->
                Failure.PROTOCOL;
            case PROXY_FAILED -> Failure.PROXY;
            case NODE_OVERLOADED -> Failure.OVERLOADED;
            case NODE_STOPPED -> Failure.CLOSED;
        };
    }

    /** Returns what exactly went wrong. */
    public FailureReason reason() {
        return reason;
    }

    /** Returns the phase that failed; null if the request did not get that far, or it is unknown. */
    public @Nullable FailurePhase phase() {
        return phase;
    }

    /** Returns what arrived of the response; null if nothing did, and after deserialization. */
    public @Nullable WebhookResponse response() {
        return response;
    }

    /** The kind of a failure. */
    public enum Failure {
        /** The exchange did not complete within its timeout. */
        TIMEOUT,
        /** No address of the destination accepted a connection. */
        CONNECT,
        /** No trusted TLS connection could be made. */
        TLS,
        /** The connection was closed or broke before the response was complete. */
        RESET,
        /** The response is not valid HTTP, or its headers exceed a limit. */
        PROTOCOL,
        /** The egress proxy could not be reached, or did not open a connection to the destination. */
        PROXY,
        /** Too many requests are under way, or too many host names are being looked up. */
        OVERLOADED,
        /** The transport was closed before or during the exchange. */
        CLOSED;

        private FailureReason reason() {
            return switch (this) {
                case TIMEOUT -> FailureReason.TIMED_OUT;
                case CONNECT -> FailureReason.UNREACHABLE;
                case TLS -> FailureReason.TLS_FAILED;
                case RESET -> FailureReason.CLOSED;
                case PROTOCOL -> FailureReason.RESPONSE_MALFORMED;
                case PROXY -> FailureReason.PROXY_FAILED;
                case OVERLOADED -> FailureReason.NODE_OVERLOADED;
                case CLOSED -> FailureReason.NODE_STOPPED;
            };
        }
    }
}
