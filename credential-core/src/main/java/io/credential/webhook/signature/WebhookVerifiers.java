package io.credential.webhook.signature;

import io.credential.webhook.WebhookException;

/**
 * Every verifier of the application, by its name. Thread-safe.
 *
 * @since 0.1.0
 */
public interface WebhookVerifiers {

    /**
     * The verifier of this name.
     *
     * @throws WebhookException {@code webhook/bad-opt} when there is none
     */
    WebhookVerifier get(String name);
}
