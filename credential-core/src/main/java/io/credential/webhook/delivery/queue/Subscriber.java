package io.credential.webhook.delivery.queue;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.PayloadFormat;

/**
 * Where a delivery goes, as it was stored when it was claimed.
 *
 * @param secretCell the sealed secret
 * @param audience null for none
 * @since 0.1.0
 */
public record Subscriber(
        String url, String secretCell, @Nullable String audience, PayloadFormat payloadFormat) {

    /** Neither URL nor secret: both may hold a secret. */
    @Override
    public String toString() {
        return "Subscriber";
    }
}
