package io.credential.benchmarks.node;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

import io.credential.seal.internal.Keyring;
import io.credential.secret.SecretBytes;
import io.credential.secret.internal.RandomHex;

/** A keyring as the arguments of a program. It exists only for one run. */
public final class NodeKeys {

    private static final int KEY_BYTES = 32;

    private NodeKeys() {}

    /** Returns a new seal key and a new index key as hex. */
    public static List<String> generate() {
        RandomHex random = new RandomHex(new SecureRandom());
        return List.of(random.next(KEY_BYTES), random.next(KEY_BYTES));
    }

    public static Keyring keyring(String sealKey, String indexKey) {
        try (SecretBytes sealing = SecretBytes.copyOf(HexFormat.of().parseHex(sealKey));
                SecretBytes indexing = SecretBytes.copyOf(HexFormat.of().parseHex(indexKey))) {
            return Keyring.of("k1", Map.of("k1", sealing), indexing);
        }
    }
}
