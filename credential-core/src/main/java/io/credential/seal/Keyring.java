package io.credential.seal;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.credential.secret.SecretBytes;

/**
 * The keys under which data is sealed: named 256-bit keys of which one is active and the others only read, and one
 * index key. Immutable and thread-safe; prints ids only.
 *
 * @since 0.1.0
 */
public final class Keyring {

    /** How the index key is named among the check values; no key may be called so. */
    public static final String INDEX_ID = "index";

    private static final int KEY_BYTES = KeyDerivation.KEY_BYTES;

    private final String activeKeyId;
    private final SealKey activeKey;
    private final Map<String, SealKey> keys;
    private final SecretBytes indexKey;
    private final Map<String, String> checkValues;

    private Keyring(String activeKeyId, SealKey activeKey, Map<String, SealKey> keys, SecretBytes indexKey) {
        this.activeKeyId = activeKeyId;
        this.activeKey = activeKey;
        this.keys = keys;
        this.indexKey = indexKey;
        this.checkValues = checkValues(keys, indexKey);
    }

    /**
     * @param activeKeyId the key that seals from now on
     * @param keys every key by its id, {@code [a-z0-9-]{1,32}} but not {@link #INDEX_ID}, 32 bytes each, no two of them
     *     equal; copied
     * @param indexKey the key of the blind index, 32 bytes, equal to no other; copied
     * @throws IllegalArgumentException naming what is wrong, never a key
     */
    public static Keyring of(String activeKeyId, Map<String, SecretBytes> keys, SecretBytes indexKey) {
        Map<String, SealKey> sealKeys = new TreeMap<>();
        keys.forEach((id, key) -> {
            requireKeyId(id);
            requireKeyLength("key '" + id + "'", key);
            sealKeys.put(id, new SealKey(key));
        });
        SealKey activeKey = sealKeys.get(activeKeyId);
        if (activeKey == null) {
            // The id that was not found is not quoted: it may be a key pasted into the wrong place.
            throw new IllegalArgumentException("The active key id names no key; the keys are " + sealKeys.keySet());
        }
        requireKeyLength("index key", indexKey);
        return new Keyring(activeKeyId, activeKey, Collections.unmodifiableMap(sealKeys), copy(indexKey));
    }

    /**
     * A keyring with one random key named {@code k1} and a random index key, for trials: it is kept nowhere, and what is
     * sealed under it is lost with it.
     */
    public static Keyring generate(SecureRandom random) {
        try (SecretBytes key = SecretBytes.random(KEY_BYTES, random);
                SecretBytes index = SecretBytes.random(KEY_BYTES, random)) {
            return of("k1", Map.of("k1", key), index);
        }
    }

    /** The id of the key that seals. */
    public String activeKeyId() {
        return activeKeyId;
    }

    /** The ids of all keys in alphabetical order, without the index key. */
    public Set<String> keyIds() {
        return keys.keySet();
    }

    /**
     * A value that tells keys apart without revealing them, for each key id and for {@link #INDEX_ID}; kept in the
     * database to recognise a wrong keyring at the next start.
     */
    public Map<String, String> checkValues() {
        return checkValues;
    }

    @Override
    public String toString() {
        return "Keyring[active=" + activeKeyId + ", keys=" + keys.keySet() + "]";
    }

    SealKey activeKey() {
        return activeKey;
    }

    /**
     * @throws UnknownSealKeyException if there is no such key
     */
    SealKey key(String keyId) {
        SealKey key = keys.get(keyId);
        if (key == null) {
            throw new UnknownSealKeyException(keyId);
        }
        return key;
    }

    /** A sub-key of the index key for the caller to wipe. */
    byte[] indexSubKey(String purpose) {
        byte[] bytes = indexKey.toByteArray();
        try {
            return KeyDerivation.derive(bytes, KeyDerivation.BLIND_INDEX + purpose);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private static Map<String, String> checkValues(Map<String, SealKey> keys, SecretBytes indexKey) {
        Map<String, String> values = new LinkedHashMap<>();
        keys.forEach((id, key) -> putDistinct(values, id, key.checkValue()));
        byte[] index = indexKey.toByteArray();
        putDistinct(values, INDEX_ID, SealKey.checkValue(index));
        Arrays.fill(index, (byte) 0);
        return Collections.unmodifiableMap(values);
    }

    private static void putDistinct(Map<String, String> values, String id, String checkValue) {
        values.forEach((otherId, other) -> {
            if (other.equals(checkValue)) {
                throw new IllegalArgumentException("'" + otherId + "' and '" + id + "' are one key under two names;"
                        + " each must be 32 random bytes of its own");
            }
        });
        values.put(id, checkValue);
    }

    private static void requireKeyId(String id) {
        if (!SealedText.isKeyId(id) || id.equals(INDEX_ID)) {
            throw new IllegalArgumentException(
                    "A key id must be 1 to 32 of a-z, 0-9 and '-', and not '" + INDEX_ID + "'");
        }
    }

    private static void requireKeyLength(String name, SecretBytes key) {
        if (key.length() != KEY_BYTES) {
            throw new IllegalArgumentException(
                    "The " + name + " must have " + KEY_BYTES + " bytes, but has " + key.length());
        }
    }

    private static SecretBytes copy(SecretBytes secret) {
        byte[] bytes = secret.toByteArray();
        try {
            return SecretBytes.copyOf(bytes);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }
}
