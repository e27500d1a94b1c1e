package io.credential.webhook.signature;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Nonces of one length for every store: SHA-256 over fields, each in UTF-8 behind its length. */
final class NonceKey {

    private NonceKey() {}

    static String of(String... fields) {
        MessageDigest digest = sha256();
        for (String field : fields) {
            byte[] utf8 = field.getBytes(StandardCharsets.UTF_8);
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(utf8.length).array());
            digest.update(utf8);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
