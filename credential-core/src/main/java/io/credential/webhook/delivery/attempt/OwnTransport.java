package io.credential.webhook.delivery.attempt;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.credential.webhook.delivery.DispatcherOptions;
import io.credential.webhook.http.HttpWebhookTransport;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransport;

/**
 * The transport that a dispatcher makes for itself. Once closed it sends nothing, not even for an attempt that began
 * before, until it is opened again. Thread-safe.
 */
final class OwnTransport implements WebhookTransport {

    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(5);

    private final Duration connectTimeout;
    private final int maxConcurrent;
    private volatile HttpWebhookTransport current; // has neither threads nor sockets before its first request
    private boolean closed;

    OwnTransport(DispatcherOptions options) {
        Duration timeout = options.requestTimeout();
        this.connectTimeout = timeout.compareTo(LONGEST_CONNECT) < 0 ? timeout : LONGEST_CONNECT;
        // One host gets a quarter of the connections, which must be enough for one endpoint.
        this.maxConcurrent = Math.max(options.maxInFlight(), 4 * options.maxInFlightPerEndpoint());
        this.current = make();
    }

    @Override
    public CompletableFuture<WebhookResponse> send(WebhookRequest request) {
        return current.send(request);
    }

    /** Lets requests be sent again. */
    synchronized void open() {
        if (closed) {
            closed = false;
            current = make();
        }
    }

    /** Ends the exchanges in progress. */
    synchronized void close() {
        closed = true;
        current.close(Duration.ZERO);
    }

    private HttpWebhookTransport make() {
        return HttpWebhookTransport.builder()
                .connectTimeout(connectTimeout)
                .maxConcurrent(maxConcurrent)
                .build();
    }
}
