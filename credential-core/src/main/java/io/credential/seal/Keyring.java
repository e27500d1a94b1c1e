package io.credential.seal;

import java.security.SecureRandom;
import java.util.Map;
import java.util.Set;

import io.credential.secret.SecretBytes;

/**
 * The keys under which data is sealed: named 256-bit keys of which one is active and the others only read, and one
 * index key. Immutable and thread-safe; prints ids only.
 *
 * @since 0.1.0
 */
public final class Keyring {

    /**
     * @param activeKeyId the key that seals from now on
     * @param keys every key by its id, {@code [a-z0-9-]{1,32}}, 32 bytes each; copied
     * @param indexKey the key of the blind index, 32 bytes; copied
     * @throws IllegalArgumentException naming what is wrong, never a key
     */
    public static Keyring of(String activeKeyId, Map<String, SecretBytes> keys, SecretBytes indexKey) {
        throw new UnsupportedOperationException();
    }

    /** A keyring with one random key named {@code k1} and a random index key. */
    public static Keyring generate(SecureRandom random) {
        throw new UnsupportedOperationException();
    }

    public String activeKeyId() {
        throw new UnsupportedOperationException();
    }

    public Set<String> keyIds() {
        throw new UnsupportedOperationException();
    }

    /**
     * A value that tells keys apart without revealing them, for each key id and for {@code index}; kept in the
     * database to recognise a wrong keyring at the next start.
     */
    public Map<String, String> checkValues() {
        throw new UnsupportedOperationException();
    }
}
