package io.credential.webhook.http;

/**
 * A request got no complete response. The message names the destination's host and port and what went wrong, but no
 * address: it may be shown to the user who entered the URL. The cause may contain more and is for the operator.
 *
 * @since 0.1.0
 */
public final class WebhookTransportException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Failure failure;

    public WebhookTransportException(Failure failure, String message, Throwable cause) {
        super(message, cause);
        this.failure = failure;
    }

    public WebhookTransportException(Failure failure, String message) {
        super(message);
        this.failure = failure;
    }

    /** What went wrong. */
    public Failure failure() {
        return failure;
    }

    /** What can go wrong between here and the receiver. */
    public enum Failure {
        /** The time for the whole exchange was used up. */
        TIMEOUT,
        /** No address accepted a connection. */
        CONNECT,
        /** No trusted TLS connection could be made. */
        TLS,
        /** The connection was closed or broke before the response was complete. */
        RESET,
        /** What came back is not HTTP, or is beyond the limits for headers. */
        PROTOCOL,
        /** The egress proxy did not open a way to the destination. */
        PROXY,
        /** As many exchanges as the transport allows are under way, or too many host names are being looked up. */
        OVERLOADED,
        /** The transport was closed before or during the exchange. */
        CLOSED
    }
}
