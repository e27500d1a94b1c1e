package io.credential.webhook.delivery;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.http.HttpWebhookTransport;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransport;

/** The transport that a dispatcher makes for itself: at the first attempt, and anew at the first after it was closed. */
final class OwnTransport implements WebhookTransport {

    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(5);

    private final Duration connectTimeout;
    private final int maxConcurrent;
    private @Nullable HttpWebhookTransport open;

    OwnTransport(DispatcherOptions options) {
        Duration timeout = options.requestTimeout();
        this.connectTimeout = timeout.compareTo(LONGEST_CONNECT) < 0 ? timeout : LONGEST_CONNECT;
        // One host gets a quarter of the connections, which must be enough for one endpoint.
        this.maxConcurrent = Math.max(options.maxInFlight(), 4 * options.maxInFlightPerEndpoint());
    }

    @Override
    public CompletableFuture<WebhookResponse> send(WebhookRequest request) {
        return open().send(request);
    }

    /** Ends what is under way; does nothing where nothing was sent. */
    void close() {
        HttpWebhookTransport closing;
        synchronized (this) {
            closing = open;
            open = null;
        }
        if (closing != null) {
            closing.close(Duration.ZERO);
        }
    }

    private synchronized HttpWebhookTransport open() {
        if (open == null) {
            open = HttpWebhookTransport.builder()
                    .connectTimeout(connectTimeout)
                    .maxConcurrent(maxConcurrent)
                    .build();
        }
        return open;
    }
}
