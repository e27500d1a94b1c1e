package io.credential.webhook.signature;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookException;

/**
 * A signature header that passed every check that needs no body. It does not prove anything yet: anyone can write such
 * a header. Thread-safe.
 *
 * @param <V> what a verification returns
 * @since 0.1.0
 */
@FunctionalInterface
public interface PresentedSignature<V> {

    /**
     * Makes the checks that are left: the time window once more, the signature, and the nonce store.
     *
     * @param body the bytes as they were received
     * @throws WebhookException with the code of the first check that failed
     * @throws RuntimeException if the nonce store fails
     */
    V verify(byte @Nullable [] body) throws WebhookException;

    /**
     * Reports, as a failed verification, that the checks which are left will not be made; does nothing unless
     * overridden.
     *
     * @param reason for the audit trail, a short word such as {@code unreadable-body}
     */
    default void abandon(String reason) {}
}
