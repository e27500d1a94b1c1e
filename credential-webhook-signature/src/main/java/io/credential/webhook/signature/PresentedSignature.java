package io.credential.webhook.signature;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookException;

/**
 * A signature header that passed every check that does not need the body. It proves nothing yet, since anyone can write
 * such a header. Thread-safe.
 *
 * @param <V> what a verification returns
 * @since 0.1.0
 */
public interface PresentedSignature<V> {

    /**
     * Makes the remaining checks: the time window again, the signature, and the nonce store.
     *
     * @param body the bytes as they were received
     * @throws WebhookException with the code of the first check that failed
     * @throws RuntimeException if the nonce store fails
     */
    default V verify(byte @Nullable [] body) throws WebhookException {
        return verify(body, () -> {});
    }

    /**
     * Makes the remaining checks, and calls back between those that use the processor and those that may block.
     *
     * @param body the bytes as they were received
     * @param signatureChecked called once the signature has been compared, before the nonce store and the audit sink
     *     are called; not called if an earlier check fails
     * @throws WebhookException with the code of the first check that failed
     * @throws RuntimeException if the nonce store or the callback fails
     */
    V verify(byte @Nullable [] body, Runnable signatureChecked) throws WebhookException;

    /**
     * Reports a failed verification instead of making the remaining checks.
     *
     * @param reason for the audit trail, a short code such as {@code unreadable-body}
     */
    void abandon(String reason);

    /**
     * Removes the nonce of a verified request whose processing failed, so that its sender can send the same request again. Does
     * nothing without a nonce store, and in this library's own format and that of payment processors.
     *
     * @throws RuntimeException if the nonce store fails
     */
    default void forget() {}
}
