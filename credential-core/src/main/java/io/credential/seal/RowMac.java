package io.credential.seal;

/**
 * Authenticates the values of a row with HMAC-SHA3-256: {@code m1.<keyId>.<hex>}. Whoever lacks the keyring cannot make
 * a row that verifies, nor change one; putting back an earlier authentic version of the same row goes unnoticed.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class RowMac {

    public RowMac(Keyring keyring) {
        throw new UnsupportedOperationException();
    }

    /** The MAC of a row under the active key. */
    public String compute(RowValues values) {
        throw new UnsupportedOperationException();
    }

    /**
     * Whether the MAC is that of the row, compared in constant time; false for a malformed one.
     *
     * @throws UnknownSealKeyException if the keyring lacks the MAC's key
     */
    public boolean verify(RowValues values, String mac) {
        throw new UnsupportedOperationException();
    }

    /** Whether a MAC was made under the active key. */
    public boolean isCurrent(String mac) {
        throw new UnsupportedOperationException();
    }
}
