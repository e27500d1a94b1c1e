package io.credential.webhook.http;

/**
 * Thrown when a request got no complete response. The message names what went wrong and the host and port of the
 * destination, but no address: it may be shown to the user who entered the URL. The cause may contain more and is for
 * the operator.
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

    public Failure failure() {
        return failure;
    }

    /** What went wrong. */
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
        CLOSED
    }
}
