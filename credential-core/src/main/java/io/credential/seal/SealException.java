package io.credential.seal;

/**
 * A cell cannot be opened: it is damaged, was moved, or was sealed without the key.
 *
 * @since 0.1.0
 */
public final class SealException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public SealException(String message) {
        super(message);
    }
}
