package io.credential.seal.internal;

/** A cell cannot be opened: it is damaged, was moved, or was sealed without the key. */
public final class SealException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public SealException(String message) {
        super(message);
    }
}
