package io.credential.seal;

import java.util.HexFormat;

/**
 * A keyed hash under which a sealed value can be looked up: HMAC-SHA3-256 over the length-prefixed namespace and value,
 * in hex. Reveals which rows have equal values and nothing else to whoever lacks the index key. Thread-safe.
 *
 * @since 0.1.0
 */
public final class BlindIndex {

    private static final HexFormat HEX = HexFormat.of();

    private final HmacSha3 hmac;

    /**
     * @param purpose what is indexed, for example {@code owner-id}; values of different purposes never meet
     */
    public BlindIndex(Keyring keyring, String purpose) {
        this.hmac = new HmacSha3(keyring.indexSubKey(purpose));
    }

    /** 64 lower-case hex digits. */
    public String of(String namespace, String value) {
        return HEX.formatHex(hmac.compute(new FieldBytes(128).text(namespace).text(value)));
    }
}
