package io.credential.secret.internal;

/** Too many hashes were requested at once: the queue is full, or no permit was free in time. */
public final class HasherBusyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public HasherBusyException(String message) {
        super(message);
    }
}
