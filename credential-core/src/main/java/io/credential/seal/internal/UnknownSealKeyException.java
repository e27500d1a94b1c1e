package io.credential.seal.internal;

/**
 * A cell or MAC names a key that the keyring does not contain. It cannot be checked, which does not prove tampering:
 * the key must be added to the keyring.
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
