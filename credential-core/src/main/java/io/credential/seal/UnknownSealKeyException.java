package io.credential.seal;

/**
 * A cell or MAC names a key that the keyring does not hold. Nothing can be said about it, so it is no proof of
 * tampering: the keyring must be completed.
 *
 * @since 0.1.0
 */
public final class UnknownSealKeyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String keyId;

    UnknownSealKeyException(String keyId) {
        super("The keyring holds no key '" + keyId + "'; add it as a further key of the keyring");
        this.keyId = keyId;
    }

    /** The id that was asked for. */
    public String keyId() {
        return keyId;
    }
}
