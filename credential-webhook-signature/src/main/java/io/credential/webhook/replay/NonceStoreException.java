package io.credential.webhook.replay;

/**
 * Thrown by verifiers when the nonce store fails: whether the request was accepted before is not known, so it is not accepted.
 * The sender can send it again.
 *
 * @since 0.1.0
 */
public final class NonceStoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param cause what the store threw */
    public NonceStoreException(RuntimeException cause) {
        super("The nonce store failed", cause);
    }
}
