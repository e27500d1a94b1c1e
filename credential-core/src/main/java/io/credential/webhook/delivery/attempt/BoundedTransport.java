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

/** Limits the time of the application's transport: an attempt that never ended would keep its place. Thread-safe. */
final class BoundedTransport implements WebhookTransport {

    /** Lets a transport that has its own timeout report what went wrong. */
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
