package io.credential.seal.internal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

import io.credential.secret.internal.FieldBytes;

/**
 * Authenticates the values of a row with HMAC-SHA3-256: {@code m1.<keyId>.<hex>}. Without the keyring, nobody can
 * create a row that verifies, or change one. Restoring an earlier authentic version of the same row is not detected.
 * Thread-safe.
 */
public final class RowMac {

    private static final String VERSION = "m1";
    private static final int MAX_LENGTH = 128;
    private static final HexFormat HEX = HexFormat.of();

    private final Keyring keyring;
    private final String activeHead;

    public RowMac(Keyring keyring) {
        this.keyring = keyring;
        this.activeHead = head(keyring.activeKeyId());
    }

    /** Returns the MAC of a row under the active key. */
    public String compute(RowValues values) {
        return activeHead + body(keyring.activeKeyId(), keyring.activeKey(), values);
    }

    /**
     * Whether the MAC is that of the row, compared in constant time; false for a malformed one.
     *
     * @throws UnknownSealKeyException if the keyring lacks the MAC's key
     */
    public boolean verify(RowValues values, String mac) {
        SealedText text = mac.length() <= MAX_LENGTH ? SealedText.parse(mac) : null;
        if (text == null || !text.format().equals(VERSION) || text.body().length() != 2 * HmacSha3.OUTPUT_BYTES) {
            return false;
        }
        // Comparing texts accepts lower-case hex only: a row has one MAC, and updates compare it as text.
        String expected = body(text.keyId(), keyring.key(text.keyId()), values);
        return MessageDigest.isEqual(ascii(expected), ascii(text.body()));
    }

    /** Returns the start of every MAC under a key. */
    public static String head(String keyId) {
        return SealedText.head(VERSION, keyId);
    }

    /** Returns the start of every MAC under the active key. */
    public String activeHead() {
        return activeHead;
    }

    /** Whether a MAC is under the active key. */
    public boolean isCurrent(String mac) {
        return mac.startsWith(activeHead);
    }

    private static String body(String keyId, SealKey key, RowValues values) {
        FieldBytes row = values.bytes();
        FieldBytes message =
                new FieldBytes(64 + row.length()).text(VERSION).text(keyId).append(row.buffer(), 0, row.length());
        return HEX.formatHex(key.rowMacs().compute(message));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
