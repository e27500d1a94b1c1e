package io.credential.webhook.http;

import java.util.concurrent.CompletableFuture;

/**
 * Sends one HTTP request and reads the start of the response. Never follows a redirect, never retries, and connects to
 * the addresses of the destination and to no others. Must be thread-safe.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface WebhookTransport {

    /**
     * Sends a POST request. Dependent stages must not block, or must run on another executor: they may
     * be run by the threads that do the I/O. Cancelling the future ends the exchange.
     *
     * @return the response, whatever its status; fails with a {@link WebhookTransportException} when there is none, or
     *     none within the request's time
     */
    CompletableFuture<WebhookResponse> send(WebhookRequest request);
}
