package io.credential.webhook.http;

import java.util.concurrent.CompletableFuture;

/**
 * Sends one HTTP request and reads the start of the response. Never follows redirects, never retries, and connects only
 * to the addresses of the destination. Must be thread-safe.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface WebhookTransport {

    /**
     * Sends a POST request. Dependent stages must not block, or must run on another executor: the I/O threads may run
     * them. Cancelling the future ends the exchange.
     *
     * @return the response, whatever its status; fails with a {@link WebhookTransportException} if there is none within
     *     the timeout of the request
     */
    CompletableFuture<WebhookResponse> send(WebhookRequest request);
}
