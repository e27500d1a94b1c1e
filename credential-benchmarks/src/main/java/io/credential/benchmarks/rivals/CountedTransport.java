package io.credential.benchmarks.rivals;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransport;
import io.credential.webhook.http.internal.HttpWebhookTransport;

/** The HTTP client of all contenders. Counts the webhooks that the receiver accepts. Thread-safe. */
final class CountedTransport implements WebhookTransport, AutoCloseable {

    private final HttpWebhookTransport http = HttpWebhookTransport.builder().build();
    private final AtomicLong accepted = new AtomicLong();

    @Override
    public CompletableFuture<WebhookResponse> send(WebhookRequest request) {
        CompletableFuture<WebhookResponse> response = http.send(request);
        var unused = response.thenAccept(received -> {
            if (received.successful()) {
                accepted.incrementAndGet();
            }
        });
        return response;
    }

    long accepted() {
        return accepted.get();
    }

    @Override
    public void close() {
        http.close();
    }
}
