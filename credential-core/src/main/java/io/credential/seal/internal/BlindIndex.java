package io.credential.seal.internal;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.credential.secret.internal.FieldBytes;

/**
 * A keyed hash under which a sealed value can be looked up: {@code i1.<keyId>.<hex>}, HMAC-SHA3-256 over the
 * length-prefixed namespace and value. Without the index key it reveals only which rows have equal
 * values. Thread-safe.
 */
public final class BlindIndex {

    private static final String VERSION = "i1";
    private static final HexFormat HEX = HexFormat.of();

    private final String activeHead;
    private final HmacSha3 active;
    private final Map<String, HmacSha3> others = new LinkedHashMap<>();

    /**
     * @param purpose what is indexed, for example {@code owner-id}; equal values of different purposes have different
     *     hashes
     */
    public BlindIndex(Keyring keyring, String purpose) {
        Map<String, byte[]> subKeys = keyring.indexSubKeys(purpose);
        this.activeHead = head(keyring.activeIndexKeyId());
        this.active = new HmacSha3(Objects.requireNonNull(subKeys.remove(keyring.activeIndexKeyId())));
        subKeys.forEach((id, subKey) -> others.put(head(id), new HmacSha3(subKey)));
    }

    /** Returns the hash under the active index key: what is stored. */
    public String of(String namespace, String value) {
        return hash(activeHead, active, namespace, value);
    }

    /** Returns the hash under each index key, the active one first: what a stored value is looked up by. */
    public List<String> candidates(String namespace, String value) {
        List<String> hashes = new ArrayList<>(1 + others.size());
        hashes.add(of(namespace, value));
        others.forEach((head, hmac) -> hashes.add(hash(head, hmac, namespace, value)));
        return List.copyOf(hashes);
    }

    /** Returns the start of every hash under an index key. */
    public static String head(String indexKeyId) {
        return SealedText.head(VERSION, indexKeyId);
    }

    private static String hash(String head, HmacSha3 hmac, String namespace, String value) {
        return head
                + HEX.formatHex(hmac.compute(new FieldBytes(128).text(namespace).text(value)));
    }
}
