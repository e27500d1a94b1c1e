package io.credential.webhook.signature;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.replay.NonceStore;

/** The check of an option that several builders have. */
final class NonceStores {

    private NonceStores() {}

    static NonceStore require(@Nullable NonceStore nonceStore) {
        if (nonceStore == null) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_NONCE_STORE,
                    "The nonce store is null: leave the option out to verify without one");
        }
        return nonceStore;
    }
}
