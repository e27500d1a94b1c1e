package io.credential.webhook.signature;

import io.credential.webhook.WebhookException;

/**
 * The signers of the application, by name. Thread-safe.
 *
 * @since 0.1.0
 */
public interface WebhookSigners {

    /**
     * Returns the signer of this name.
     *
     * @throws WebhookException {@code webhook/bad-opt} if there is none, or the name is null
     */
    WebhookSigner get(String name);
}
