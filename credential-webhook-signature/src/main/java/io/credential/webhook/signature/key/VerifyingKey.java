package io.credential.webhook.signature.key;

/**
 * One key of a verifier. Thread-safe.
 *
 * @since 0.1.0
 */
public interface VerifyingKey {

    /**
     * Returns whether a signature from a header is valid for the head followed by the body. One that cannot be decoded
     * is not.
     */
    boolean verify(byte[] head, byte[] body, String signature);

    /** Returns the identity of the key, which tells whether another key is equal. */
    KeyIdentity identity();

    /** Returns the length of a signature in bytes. */
    int signatureBytes();
}
