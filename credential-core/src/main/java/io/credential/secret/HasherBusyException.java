package io.credential.secret;

/**
 * More hashes were asked for at once than are allowed, for longer than is allowed.
 *
 * @since 0.1.0
 */
public final class HasherBusyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    HasherBusyException(String message) {
        super(message);
    }
}
