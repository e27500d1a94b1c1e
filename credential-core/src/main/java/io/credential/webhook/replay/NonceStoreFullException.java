package io.credential.webhook.replay;

/**
 * A bounded nonce store holds as many live nonces as it may. It forgets none of them to make room, for that would let a
 * delivery pass twice.
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
