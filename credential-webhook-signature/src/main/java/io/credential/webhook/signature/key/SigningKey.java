package io.credential.webhook.signature.key;

/**
 * One key of a signer. Thread-safe.
 *
 * @since 0.1.0
 */
public interface SigningKey {

    /** Returns the signature of the head followed by the body, encoded for the header. */
    String sign(byte[] head, byte[] body);
}
