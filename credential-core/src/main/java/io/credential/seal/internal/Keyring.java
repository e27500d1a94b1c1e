package io.credential.seal.internal;

import java.security.SecureRandom;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import io.credential.secret.SecretBytes;

/**
 * The keys under which data is sealed and indexed: named 256-bit keys of each kind, of which one is active and the
 * others only read. Immutable and thread-safe; prints only ids.
 */
public final class Keyring {

    private static final int KEY_BYTES = KeyDerivation.KEY_BYTES;
    private static final String FIRST_KEY = "k1";
    private static final String FIRST_INDEX_KEY = "i1";

    /** No key id contains a slash, so that a seal key and an index key may have the same name. */
    private static final String INDEX_CHECK = "index/";

    private final String activeKeyId;
    private final SealKey activeKey;
    private final Map<String, SealKey> keys;
    private final String activeIndexKeyId;
    private final Map<String, SecretBytes> indexKeys;
    private final Map<String, String> checkValues;

    private Keyring(
            String activeKeyId,
            Map<String, SecretBytes> keys,
            String activeIndexKeyId,
            Map<String, SecretBytes> indexKeys) {
        this.activeKeyId = activeKeyId;
        this.activeIndexKeyId = activeIndexKeyId;
        Map<String, SealKey> sealKeys = new TreeMap<>();
        keys.forEach((id, key) -> {
            requireKey("key", id, key);
            sealKeys.put(id, new SealKey(key));
        });
        SealKey active = sealKeys.get(activeKeyId);
        if (active == null) {
            throw noSuchKey("active key id", sealKeys.keySet());
        }
        Map<String, SecretBytes> copies = new TreeMap<>();
        indexKeys.forEach((id, key) -> {
            requireKey("index key", id, key);
            copies.put(id, key.use(SecretBytes::copyOf));
        });
        if (!copies.containsKey(activeIndexKeyId)) {
            throw noSuchKey("active index key id", copies.keySet());
        }
        this.activeKey = active;
        this.keys = Collections.unmodifiableMap(sealKeys);
        this.indexKeys = Collections.unmodifiableMap(copies);
        this.checkValues = checkValues(this.keys, this.indexKeys);
    }

    /**
     * Creates a keyring with one index key, which is named {@code i1}.
     *
     * @param activeKeyId the key that seals from now on
     * @param keys every key by its id, {@code [a-z0-9-]{1,32}}, 32 bytes each, no two of them equal; copied
     * @param indexKey the key of the blind index, 32 bytes, equal to no other; copied
     * @throws IllegalArgumentException naming what is wrong, never a key
     */
    public static Keyring of(String activeKeyId, Map<String, SecretBytes> keys, SecretBytes indexKey) {
        return of(activeKeyId, keys, FIRST_INDEX_KEY, Map.of(FIRST_INDEX_KEY, indexKey));
    }

    /**
     * Creates a keyring with several index keys.
     *
     * @param activeKeyId the key that seals from now on
     * @param keys every key by its id, {@code [a-z0-9-]{1,32}}, 32 bytes each; copied
     * @param activeIndexKeyId the key that indexes from now on
     * @param indexKeys every key of the blind index by its id, with the same rules; no two keys of the keyring may be
     *     equal; copied
     * @throws IllegalArgumentException naming what is wrong, never a key
     */
    public static Keyring of(
            String activeKeyId,
            Map<String, SecretBytes> keys,
            String activeIndexKeyId,
            Map<String, SecretBytes> indexKeys) {
        return new Keyring(activeKeyId, keys, activeIndexKeyId, indexKeys);
    }

    /**
     * Creates a keyring with one random key named {@code k1} and a random index key named {@code i1}. It is not stored:
     * if it is lost, so is the data sealed with it.
     */
    public static Keyring generate(SecureRandom random) {
        try (SecretBytes key = SecretBytes.random(KEY_BYTES, random);
                SecretBytes index = SecretBytes.random(KEY_BYTES, random)) {
            return of(FIRST_KEY, Map.of(FIRST_KEY, key), index);
        }
    }

    /** Returns the id of the key that seals. */
    public String activeKeyId() {
        return activeKeyId;
    }

    /** Returns the id of the key that indexes. */
    public String activeIndexKeyId() {
        return activeIndexKeyId;
    }

    /**
     * Returns a value for each key that identifies it without revealing it. The database keeps these values to
     * recognize a wrong keyring at the next start. Keys are listed by their ids, index keys by {@link #indexCheckId}.
     */
    public Map<String, String> checkValues() {
        return checkValues;
    }

    /** Returns the name of the check value of an index key: {@code index/<id>}. */
    public static String indexCheckId(String indexKeyId) {
        return INDEX_CHECK + indexKeyId;
    }

    /** Returns the id of the index key that a check value belongs to; null when it belongs to a key that seals. */
    public static @Nullable String indexKeyId(String checkId) {
        return checkId.startsWith(INDEX_CHECK) ? checkId.substring(INDEX_CHECK.length()) : null;
    }

    @Override
    public String toString() {
        return "Keyring[active=" + activeKeyId + ", keys=" + keys.keySet() + ", activeIndex=" + activeIndexKeyId
                + ", indexKeys=" + indexKeys.keySet() + "]";
    }

    SealKey activeKey() {
        return activeKey;
    }

    /**
     * @throws UnknownSealKeyException if the keyring has no key with this id
     */
    SealKey key(String keyId) {
        SealKey key = keys.get(keyId);
        if (key == null) {
            throw new UnknownSealKeyException(keyId);
        }
        return key;
    }

    /** Returns a sub-key of each index key by its id, for the caller to wipe. */
    Map<String, byte[]> indexSubKeys(String purpose) {
        Map<String, byte[]> subKeys = new TreeMap<>();
        String derived = KeyDerivation.BLIND_INDEX + purpose;
        indexKeys.forEach((id, key) -> subKeys.put(id, key.use(bytes -> KeyDerivation.derive(bytes, derived))));
        return subKeys;
    }

    private static Map<String, String> checkValues(Map<String, SealKey> keys, Map<String, SecretBytes> indexKeys) {
        Map<String, String> values = new LinkedHashMap<>();
        keys.forEach((id, key) -> putDistinct(values, id, key.checkValue()));
        indexKeys.forEach((id, key) -> putDistinct(values, indexCheckId(id), key.use(SealKey::checkValue)));
        return Collections.unmodifiableMap(values);
    }

    private static void putDistinct(Map<String, String> values, String id, String checkValue) {
        values.forEach((otherId, other) -> {
            if (other.equals(checkValue)) {
                throw new IllegalArgumentException("'" + otherId + "' and '" + id + "' are the same key;"
                        + " each key needs its own 32 random bytes");
            }
        });
        values.put(id, checkValue);
    }

    /** Does not quote the id that was not found: it may be a key pasted into the wrong place. */
    private static IllegalArgumentException noSuchKey(String what, Set<String> ids) {
        return new IllegalArgumentException("The " + what + " names no key; the keys are " + ids);
    }

    private static void requireKey(String kind, String id, SecretBytes key) {
        if (!SealedText.isKeyId(id)) {
            throw new IllegalArgumentException("A key id must be 1 to 32 of a-z, 0-9 and '-'");
        }
        if (key.length() != KEY_BYTES) {
            throw new IllegalArgumentException(
                    "The " + kind + " '" + id + "' must have " + KEY_BYTES + " bytes, but has " + key.length());
        }
    }
}
