package io.credential.spring.webhook.internal;

import io.credential.webhook.signature.VerifiedWebhook;

/** Stores verified webhooks, in place of a controller that processes them at once. Thread-safe. */
@FunctionalInterface
public interface WebhookStore {

    /**
     * Stores a webhook, unless it was stored before.
     *
     * @param body is not copied
     * @throws RuntimeException if it was not stored; the sender must send it again
     */
    void store(VerifiedWebhook webhook, byte[] body);
}
