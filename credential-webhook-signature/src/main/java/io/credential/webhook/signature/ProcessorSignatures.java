package io.credential.webhook.signature;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookException;

/**
 * The processor-style signatures of the application, by name. Thread-safe.
 *
 * @since 0.1.0
 */
public interface ProcessorSignatures {

    /**
     * Returns the signature of this name.
     *
     * @throws WebhookException {@code webhook/bad-opt} if there is none
     */
    ProcessorSignature get(@Nullable String name);
}
