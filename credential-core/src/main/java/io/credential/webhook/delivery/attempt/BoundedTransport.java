package io.credential.webhook.delivery.attempt;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransport;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;

/**
 * A transport of the application's, held to the request's time: an attempt that never ended would keep its place among
 * those under way forever. Thread-safe.
 */
final class BoundedTransport implements WebhookTransport {

    /** A transport that keeps its time knows better what went wrong. */
    private static final Duration GRACE = Duration.ofMillis(500);

    private final WebhookTransport given;

    BoundedTransport(WebhookTransport given) {
        this.given = given;
    }

    @Override
    public CompletableFuture<WebhookResponse> send(WebhookRequest request) {
        CompletableFuture<WebhookResponse> sent = given.send(request);
        return sent.copy()
                .orTimeout(request.timeout().plus(GRACE).toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(failure -> {
                    if (failure instanceof TimeoutException) {
                        sent.cancel(true);
                        throw new WebhookTransportException(Failure.TIMEOUT, "The transport did not answer in time");
                    }
                    throw failure instanceof CompletionException wrapped ? wrapped : new CompletionException(failure);
                });
    }
}
