package io.credential.webhook.http.internal;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.TruncatedChunkException;
import org.jspecify.annotations.Nullable;

import io.credential.webhook.http.FailurePhase;
import io.credential.webhook.http.FailureReason;
import io.credential.webhook.http.VettedDestination;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;

/**
 * Translates exceptions of the HTTP client, with what is known of the exchange.
 *
 * @param proxied whether requests go through the egress proxy
 * @param phase how far the exchange had come; null if it was not begun
 * @param response what had arrived from the receiver; null if nothing had
 */
record ExchangeFailure(
        VettedDestination destination,
        boolean proxied,
        @Nullable FailurePhase phase,
        @Nullable WebhookResponse response) {

    ExchangeFailure(VettedDestination destination, boolean proxied) {
        this(destination, proxied, null, null);
    }

    ExchangeFailure at(FailurePhase reached, @Nullable WebhookResponse partial) {
        return new ExchangeFailure(destination, proxied, reached, partial);
    }

    /** Returns whether no connection was made, so that nothing was sent and another address can be tried. */
    static boolean beforeConnected(Exception cause, @Nullable FailurePhase phase) {
        return cause instanceof ConnectException
                || cause instanceof ConnectTimeoutException
                || cause instanceof NoRouteToHostException
                || (cause instanceof SocketException && phase == FailurePhase.CONNECT); // e.g. an unreachable network
    }

    /** Returns an exception for an exchange that was ended. */
    WebhookTransportException of(Failure failure) {
        return switch (failure) {
            case OVERLOADED ->
                exception(
                        FailureReason.NODE_OVERLOADED,
                        "Too many requests are in progress to send another to " + target(),
                        null);
            case CLOSED ->
                exception(
                        FailureReason.NODE_STOPPED,
                        "The transport was closed before " + target() + " had answered",
                        null);
            default -> exception(FailureReason.TIMED_OUT, timeout(), null);
        };
    }

    /** Returns an exception for a proxy that answered a {@code CONNECT} itself. */
    WebhookTransportException refusedByProxy(int status) {
        return exception(
                FailureReason.PROXY_FAILED,
                "The egress proxy did not open a connection to " + target() + ", but answered HTTP " + status,
                null);
    }

    WebhookTransportException of(Exception cause) {
        if (causes(cause).anyMatch(SSLException.class::isInstance)) {
            return ofTls(cause);
        }
        boolean isConnecting = phase == null || phase == FailurePhase.CONNECT;
        if (timedOut(cause) || (cause instanceof ConnectTimeoutException && !proxied)) {
            return exception(FailureReason.TIMED_OUT, timeout(), cause);
        }
        if (cause instanceof UnknownHostException // only the name of the proxy is ever resolved here
                || (proxied && (isConnecting || beforeConnected(cause, phase)))) {
            return exception(
                    FailureReason.PROXY_FAILED,
                    "The egress proxy could not be reached, or did not open a connection to " + target(),
                    cause);
        }
        if (beforeConnected(cause, phase)) {
            return ofConnect(cause);
        }
        return ofResponse(cause);
    }

    private WebhookTransportException ofConnect(Exception cause) {
        boolean isRefused = causes(cause)
                .anyMatch(e -> e instanceof ConnectException
                        && String.valueOf(e.getMessage()).contains("refused"));
        return isRefused
                ? exception(
                        FailureReason.REFUSED, "No connection could be made to " + target() + ": it was refused", cause)
                : exception(
                        FailureReason.UNREACHABLE,
                        "No connection could be made to " + target() + ": it cannot be reached",
                        cause);
    }

    private WebhookTransportException ofTls(Exception cause) {
        TlsFailure tls = TlsFailure.of(cause);
        return new WebhookTransportException(tls.reason(), FailurePhase.TLS, null, tls.describe(target()), cause);
    }

    private WebhookTransportException ofResponse(Exception cause) {
        BrokenResponseException head = causes(cause)
                .filter(BrokenResponseException.class::isInstance)
                .map(BrokenResponseException.class::cast)
                .findFirst()
                .orElse(null);
        if (head != null) {
            Integer status = head.status();
            return broken(
                    head.reason(),
                    status == null ? null : new WebhookResponse(status, "", null),
                    String.valueOf(head.getMessage()),
                    cause);
        }
        if (causes(cause).anyMatch(MessageConstraintException.class::isInstance)) {
            return broken(
                    FailureReason.RESPONSE_HEAD_TOO_LARGE,
                    response,
                    "its trailers or chunk headers are too large",
                    cause);
        }
        boolean isTruncated = causes(cause).anyMatch(TruncatedChunkException.class::isInstance);
        if (!isTruncated && causes(cause).anyMatch(MalformedChunkCodingException.class::isInstance)) {
            return broken(FailureReason.RESPONSE_MALFORMED, response, "a chunk of its body is malformed", cause);
        }
        if (causes(cause).anyMatch(HttpException.class::isInstance)) {
            String rule = response == null ? "it breaks a rule of HTTP/1.1" : "a trailer has no name or no colon";
            return broken(FailureReason.RESPONSE_MALFORMED, response, rule, cause);
        }
        return response == null
                ? exception(
                        FailureReason.CLOSED,
                        target()
                                + (phase == FailurePhase.TLS
                                        ? " closed the connection during the TLS handshake"
                                        : " closed the connection before its response was complete"),
                        cause)
                : broken(FailureReason.RESPONSE_TRUNCATED, response, "its body is incomplete", cause);
    }

    private WebhookTransportException broken(
            FailureReason reason, @Nullable WebhookResponse partial, String rule, Exception cause) {
        String what = reason == FailureReason.RESPONSE_TRUNCATED
                ? " closed the connection before its response was complete"
                : " sent an invalid HTTP response";
        String status = partial == null ? "" : " (HTTP " + partial.status() + ")";
        return new WebhookTransportException(
                reason, FailurePhase.RESPONSE, partial, target() + what + status + ": " + rule, cause);
    }

    private String timeout() {
        if (phase == FailurePhase.CONNECT) {
            return proxied
                    ? "The egress proxy opened no connection to " + target() + " in time"
                    : "No connection could be made to " + target() + " in time";
        }
        return phase == FailurePhase.TLS
                ? "The TLS handshake with " + target() + " was not completed in time"
                : target() + " did not answer completely in time";
    }

    private WebhookTransportException exception(FailureReason reason, String message, @Nullable Throwable cause) {
        FailurePhase fixed = reason.phase();
        return new WebhookTransportException(reason, fixed == null ? phase : fixed, response, message, cause);
    }

    private String target() {
        return destination.host() + ":" + destination.port();
    }

    /** Returns whether waiting for a pooled connection or for bytes timed out. */
    private static boolean timedOut(Exception cause) {
        return cause instanceof TimeoutException
                || cause instanceof ConnectionRequestTimeoutException
                || (cause instanceof SocketTimeoutException && !(cause instanceof ConnectTimeoutException));
    }

    static Stream<Throwable> causes(Throwable cause) {
        return Stream.iterate(cause, e -> e != null, Throwable::getCause).limit(8);
    }
}
