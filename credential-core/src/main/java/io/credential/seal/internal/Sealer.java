package io.credential.seal.internal;

import java.security.SecureRandom;

import org.jspecify.annotations.Nullable;

import io.credential.secret.internal.Base64Url;
import io.credential.secret.internal.FieldBytes;

/**
 * Seals cells with AES-256-GCM under the active key of a keyring, bound to a {@link CellAddress}. Cells are
 * confidential and authentic. Their length is not hidden, and restoring an earlier authentic cell is not detected.
 * Thread-safe.
 */
public final class Sealer {

    static final String BOUND = "s1";
    static final String PLAIN = "s0";
    static final FieldBytes NOTHING = new FieldBytes(0);

    private static final int MAX_PLAINTEXT_BYTES = 256 * 1024;
    private static final int MAX_SEALED_BYTES = CellCipher.NONCE_BYTES + MAX_PLAINTEXT_BYTES + CellCipher.TAG_BYTES;
    private static final int MAX_CELL_LENGTH = 64 + (MAX_SEALED_BYTES * 4) / 3;

    private final Keyring keyring;
    private final SecureRandom random;
    private final String activeHead;

    public Sealer(Keyring keyring, SecureRandom random) {
        this.keyring = keyring;
        this.random = random;
        this.activeHead = boundHead(keyring.activeKeyId());
    }

    /**
     * Returns {@code s1.<keyId>.<base64url(nonce|ciphertext|tag)>}, which differs from call to call.
     *
     * @throws IllegalArgumentException if the plaintext is longer than 256 KiB
     */
    public String seal(CellAddress address, byte[] plaintext) {
        if (plaintext.length > MAX_PLAINTEXT_BYTES) {
            throw new IllegalArgumentException("A cell holds up to " + MAX_PLAINTEXT_BYTES + " bytes, not "
                    + plaintext.length + ": " + place(address));
        }
        byte[] nonce = new byte[CellCipher.NONCE_BYTES];
        random.nextBytes(nonce);
        FieldBytes associated = associatedData(keyring.activeKeyId(), address);
        return activeHead + Base64Url.encode(keyring.activeKey().cells().seal(nonce, associated, plaintext));
    }

    /**
     * @throws UnknownSealKeyException if the keyring lacks the cell's key
     * @throws SealException if the cell is malformed, has the plain form, was changed, or belongs elsewhere
     */
    public byte[] open(CellAddress address, String cell) {
        SealedText text = parse(address, cell);
        if (!text.format().equals(BOUND)) {
            throw new SealException(
                    isPlain(cell)
                            ? "This cell has the plain form that is not bound to its row: " + place(address)
                            : malformed(address));
        }
        return decrypt(address, text, associatedData(text.keyId(), address));
    }

    /**
     * Opens a cell, which may have the plain form {@code s0} while data is migrated from it.
     *
     * @throws UnknownSealKeyException if the keyring lacks the cell's key
     * @throws SealException if the cell is malformed, was changed, or belongs elsewhere
     */
    public byte[] openPlainOrBound(CellAddress address, String cell) {
        return isPlain(cell) ? decrypt(address, parse(address, cell), NOTHING) : open(address, cell);
    }

    /** Whether a cell has the plain form {@code s0} that was written before cells were bound to their row. */
    public static boolean isPlain(String cell) {
        return cell.startsWith(PLAIN + ".");
    }

    /** Returns the start of every bound cell under a key. */
    public static String boundHead(String keyId) {
        return SealedText.head(BOUND, keyId);
    }

    /** Returns the start of every cell of the plain form under a key. */
    public static String plainHead(String keyId) {
        return SealedText.head(PLAIN, keyId);
    }

    /** Whether a cell is bound and under the active key. */
    public boolean isCurrent(String cell) {
        return cell.startsWith(activeHead);
    }

    private byte[] decrypt(CellAddress address, SealedText text, FieldBytes associated) {
        SealKey key = keyring.key(text.keyId());
        byte[] sealed = Base64Url.decode(text.body());
        if (sealed == null || sealed.length < CellCipher.NONCE_BYTES + CellCipher.TAG_BYTES) {
            throw new SealException(malformed(address));
        }
        byte @Nullable [] plaintext = key.cells().open(associated, sealed);
        if (plaintext == null) {
            throw new SealException("This cell was changed, or sealed for another place: " + place(address));
        }
        return plaintext;
    }

    private static SealedText parse(CellAddress address, String cell) {
        SealedText text = cell.length() <= MAX_CELL_LENGTH ? SealedText.parse(cell) : null;
        if (text == null) {
            throw new SealException(malformed(address));
        }
        return text;
    }

    private static FieldBytes associatedData(String keyId, CellAddress address) {
        FieldBytes associated = new FieldBytes(160)
                .text(BOUND)
                .text(keyId)
                .text(address.table())
                .text(address.column())
                .text(address.namespace())
                .text(address.id());
        address.bound().forEach(associated::text);
        return associated;
    }

    private static String malformed(CellAddress address) {
        return "This is not a sealed cell: " + place(address);
    }

    private static String place(CellAddress address) {
        return "column " + address.column() + " of " + address.table() + ", namespace '" + address.namespace()
                + "', id '" + address.id() + "'";
    }
}
