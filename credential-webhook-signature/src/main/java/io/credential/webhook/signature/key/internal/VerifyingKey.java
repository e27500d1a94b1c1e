package io.credential.webhook.signature.key.internal;

import io.credential.webhook.signature.key.KeyIdentity;

/** One key of a verifier. Thread-safe. */
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
