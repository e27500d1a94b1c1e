package io.credential.webhook.signature.key;

/**
 * One key of a verifier. Thread-safe.
 *
 * @since 0.1.0
 */
public interface VerifyingKey {

    /**
     * Whether a signature from a header is that of two stretches of bytes, one after the other. One that cannot be
     * decoded is not.
     */
    boolean verify(byte[] head, byte[] body, String signature);

    /** What tells whether another key is the same. */
    KeyIdentity identity();

    /** How many bytes a signature has. */
    int signatureBytes();
}
