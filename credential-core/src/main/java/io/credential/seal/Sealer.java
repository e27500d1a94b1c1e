package io.credential.seal;

import java.security.SecureRandom;

/**
 * Seals cells with AES-256-GCM under the active key of a keyring, bound to table, column, namespace and id.
 * Confidential and authentic; does not hide the length, nor that an earlier authentic cell was put back. Thread-safe.
 *
 * @since 0.1.0
 */
public final class Sealer {

    public Sealer(Keyring keyring, SecureRandom random) {
        throw new UnsupportedOperationException();
    }

    /** {@code s1.<keyId>.<base64url(nonce|ciphertext|tag)>}, different at every call. */
    public String seal(CellAddress address, byte[] plaintext) {
        throw new UnsupportedOperationException();
    }

    /**
     * @throws UnknownSealKeyException if the keyring lacks the cell's key
     * @throws SealException if the cell is malformed, has the plain form, was changed, or belongs elsewhere
     */
    public byte[] open(CellAddress address, String cell) {
        throw new UnsupportedOperationException();
    }

    /**
     * Opens a cell of the unbound form {@code s0} as well, while data is migrated from it.
     *
     * @throws UnknownSealKeyException if the keyring lacks the cell's key
     * @throws SealException if the cell is malformed, was changed, or belongs elsewhere
     */
    public byte[] openPlainOrBound(CellAddress address, String cell) {
        throw new UnsupportedOperationException();
    }

    /** Whether a cell has the unbound form {@code s0} that was written before cells were bound to their row. */
    public static boolean isPlain(String cell) {
        throw new UnsupportedOperationException();
    }

    /** Whether a cell is bound and sealed under the active key. */
    public boolean isCurrent(String cell) {
        throw new UnsupportedOperationException();
    }
}
