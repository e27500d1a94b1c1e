package io.credential.webhook.signature.key;

/**
 * One key of a signer. Thread-safe.
 *
 * @since 0.1.0
 */
public interface SigningKey {

    /** The signature of two stretches of bytes, one after the other, as it stands in a header. */
    String sign(byte[] head, byte[] body);
}
