package io.credential.seal.internal;

import java.nio.charset.StandardCharsets;

import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.params.HKDFParameters;

/** HKDF-SHA-256 (RFC 5869) without salt: one independent sub-key for each purpose of a key. */
final class KeyDerivation {

    static final int KEY_BYTES = 32;
    static final String CELL = "credential/seal/v1/cell";
    static final String ROW_MAC = "credential/seal/v1/row-mac";
    static final String CHECK_VALUE = "credential/seal/v1/check-value";
    static final String BLIND_INDEX = "credential/seal/v1/blind-index/";

    private KeyDerivation() {}

    static byte[] derive(byte[] key, String purpose) {
        HKDFBytesGenerator hkdf = new HKDFBytesGenerator(new SHA256Digest());
        hkdf.init(new HKDFParameters(key, null, purpose.getBytes(StandardCharsets.UTF_8)));
        byte[] subKey = new byte[KEY_BYTES];
        hkdf.generateBytes(subKey, 0, KEY_BYTES);
        return subKey;
    }
}
