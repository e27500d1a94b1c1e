package io.credential.webhook.http;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
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
import org.apache.hc.core5.http.ParseException;

import io.credential.webhook.http.WebhookTransportException.Failure;

/** Translates exceptions of the HTTP client. */
final class ExchangeFailure {

    private ExchangeFailure() {}

    /** Returns whether no connection was made, so that nothing was sent and another address can be tried. */
    static boolean beforeConnected(Exception cause) {
        return cause instanceof ConnectException
                || cause instanceof ConnectTimeoutException
                || cause instanceof NoRouteToHostException;
    }

    /** @param proxied whether requests go through the egress proxy */
    static WebhookTransportException toException(Exception cause, VettedDestination destination, boolean proxied) {
        Failure failure = classify(cause, proxied);
        return new WebhookTransportException(failure, describe(failure, destination), cause);
    }

    static String describe(Failure failure, VettedDestination destination) {
        String target = destination.host() + ":" + destination.port();
        return switch (failure) {
            case TIMEOUT -> target + " did not answer completely in time";
            case CONNECT -> "No connection could be made to " + target;
            case TLS -> "No trusted TLS connection could be made to " + target;
            case RESET -> target + " closed the connection before its response was complete";
            case PROTOCOL -> target + " sent an invalid HTTP response";
            case PROXY -> "The egress proxy could not be reached, or did not open a connection to " + target;
            case OVERLOADED -> "Too many requests are under way to send one more to " + target;
            case CLOSED -> "The transport was closed before " + target + " had answered";
        };
    }

    private static Failure classify(Exception cause, boolean proxied) {
        if (causes(cause).anyMatch(SSLException.class::isInstance)) {
            return Failure.TLS;
        }
        if (beforeConnected(cause)) {
            return proxied ? Failure.PROXY : Failure.CONNECT;
        }
        if (timedOut(cause)) {
            return Failure.TIMEOUT;
        }
        if (cause instanceof UnknownHostException) {
            return Failure.PROXY; // only the name of the proxy is ever resolved here
        }
        boolean malformed = causes(cause)
                .anyMatch(e -> e instanceof HttpException
                        || e instanceof MessageConstraintException
                        || e instanceof MalformedChunkCodingException
                        || e instanceof ParseException);
        return malformed ? Failure.PROTOCOL : Failure.RESET;
    }

    /** Returns whether waiting for a pooled connection or for bytes timed out. */
    private static boolean timedOut(Exception cause) {
        return cause instanceof TimeoutException
                || cause instanceof ConnectionRequestTimeoutException
                || cause instanceof SocketTimeoutException;
    }

    private static Stream<Throwable> causes(Throwable cause) {
        return Stream.iterate(cause, e -> e != null, Throwable::getCause).limit(8);
    }
}
