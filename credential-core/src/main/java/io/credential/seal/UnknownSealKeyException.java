package io.credential.seal;

/**
 * A cell or MAC names a key that the keyring does not contain. It cannot be checked, which does not prove tampering:
 * the key must be added to the keyring.
 *
 * @since 0.1.0
 */
public final class UnknownSealKeyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String keyId;

    UnknownSealKeyException(String keyId) {
        super("The keyring has no key '" + keyId + "'; add it to the keyring");
        this.keyId = keyId;
    }

    /** Returns the id of the missing key. */
    public String keyId() {
        return keyId;
    }
}
