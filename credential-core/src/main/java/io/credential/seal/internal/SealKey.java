package io.credential.seal.internal;

import java.util.HexFormat;

import io.credential.secret.SecretBytes;

/** The sub-keys of one key of the keyring, which is not kept itself. Immutable and thread-safe. */
final class SealKey {

    private final CellCipher cells;
    private final HmacSha3 rowMacs;
    private final String checkValue;

    SealKey(SecretBytes key) {
        this.cells = new CellCipher(key.use(bytes -> KeyDerivation.derive(bytes, KeyDerivation.CELL)));
        this.rowMacs = new HmacSha3(key.use(bytes -> KeyDerivation.derive(bytes, KeyDerivation.ROW_MAC)));
        this.checkValue = key.use(SealKey::checkValue);
    }

    /** Returns a value that identifies a key, but reveals nothing about it or its other sub-keys. */
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
