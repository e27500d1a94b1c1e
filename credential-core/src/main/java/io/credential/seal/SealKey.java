package io.credential.seal;

import java.util.HexFormat;

import io.credential.secret.SecretBytes;

/** What is derived from one key of the keyring; the key itself is not kept. Immutable and thread-safe. */
final class SealKey {

    private final CellCipher cells;
    private final HmacSha3 rowMacs;
    private final String checkValue;

    SealKey(SecretBytes key) {
        this.cells = new CellCipher(key.use(bytes -> KeyDerivation.derive(bytes, KeyDerivation.CELL)));
        this.rowMacs = new HmacSha3(key.use(bytes -> KeyDerivation.derive(bytes, KeyDerivation.ROW_MAC)));
        this.checkValue = key.use(SealKey::checkValue);
    }

    /** Tells keys apart; says nothing about the key or its other sub-keys. */
    static String checkValue(byte[] key) {
        return HexFormat.of().formatHex(KeyDerivation.derive(key, KeyDerivation.CHECK_VALUE));
    }

    CellCipher cells() {
        return cells;
    }

    HmacSha3 rowMacs() {
        return rowMacs;
    }

    String checkValue() {
        return checkValue;
    }
}
