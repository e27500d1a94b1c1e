package io.credential.webhook.delivery.internal.attempt;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransport;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;

/**
 * Limits the time of the application's transport, and ends its requests when the dispatcher stops: an attempt that never
 * ended would keep its place, and another node would repeat one that continues. Thread-safe.
 */
final class BoundedTransport implements WebhookTransport {

    /** Lets a transport that has its own timeout report what went wrong. */
    private static final Duration GRACE = Duration.ofMillis(500);

    private final WebhookTransport given;
    /** By any object: two futures are not compared. */
    private final Map<Object, CompletableFuture<WebhookResponse>> underWay = new ConcurrentHashMap<>();

    private volatile boolean closed;

    BoundedTransport(WebhookTransport given) {
        this.given = given;
    }

    @Override
    public CompletableFuture<WebhookResponse> send(WebhookRequest request) {
        CompletableFuture<WebhookResponse> sent = given.send(request);
        CompletableFuture<WebhookResponse> bounded =
                sent.copy().orTimeout(request.timeout().plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
        Object key = new Object();
        underWay.put(key, bounded);
        if (closed) {
            end(bounded);
        }
        return bounded.whenComplete((response, failure) -> underWay.remove(key)).exceptionally(failure -> {
            sent.cancel(true); // no effect if it has ended
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            throw cause instanceof TimeoutException
                    ? new WebhookTransportException(Failure.TIMEOUT, "The transport did not answer in time")
                    : new CompletionException(cause);
        });
    }

    /** Allows requests again after {@link #close}. */
    void open() {
        closed = false;
    }

    /** Ends the requests under way, and those that follow. */
    void close() {
        closed = true;
        underWay.values().forEach(BoundedTransport::end);
    }

    private static void end(CompletableFuture<WebhookResponse> request) {
        request.completeExceptionally(new WebhookTransportException(
                Failure.CLOSED, "The dispatcher stopped before the receiver had answered"));
    }
}
