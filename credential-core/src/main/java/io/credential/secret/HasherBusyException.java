package io.credential.secret;

/**
 * Too many hashes were requested at once: the queue is full, or no permit was free in time.
 *
 * @since 0.1.0
 */
public final class HasherBusyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public HasherBusyException(String message) {
        super(message);
    }
}
