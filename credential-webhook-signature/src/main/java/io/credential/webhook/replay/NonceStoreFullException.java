package io.credential.webhook.replay;

/**
 * Thrown when a nonce store with limited capacity is full of nonces that have not expired. It removes none of them to
 * make room, since a request could then be accepted twice.
 *
 * @since 0.1.0
 */
public final class NonceStoreFullException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NonceStoreFullException(int capacity) {
        super(
                "The nonce store holds " + capacity
                        + " nonces that have not expired: raise its capacity, shorten the tolerance, or use a store in a database");
    }
}
