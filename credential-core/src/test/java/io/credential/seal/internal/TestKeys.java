package io.credential.seal.internal;

import java.util.HashMap;
import java.util.Map;

import io.credential.secret.SecretBytes;

/** Keyrings of known keys: {@code k1} is the bytes 0 to 31, {@code k2} 32 to 63, the index key 64 to 95. */
final class TestKeys {

    private TestKeys() {}

    static Keyring keyring(String active, String... ids) {
        Map<String, SecretBytes> keys = new HashMap<>();
        for (String id : ids) {
            keys.put(id, key(id));
        }
        return Keyring.of(active, keys, bytesFrom(64));
    }

    static SecretBytes key(String id) {
        return bytesFrom(32 * (id.charAt(1) - '1'));
    }

    static SecretBytes bytesFrom(int first) {
        byte[] bytes = new byte[32];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (first + i);
        }
        return SecretBytes.copyOf(bytes);
    }
}
