package io.credential.webhook.signature;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookException;

/**
 * The verifiers of the application, by name. Thread-safe.
 *
 * @since 0.1.0
 */
public interface WebhookVerifiers {

    /**
     * Returns the verifier of this name.
     *
     * @throws WebhookException {@code webhook/bad-opt} if there is none
     */
    WebhookVerifier get(@Nullable String name);
}
