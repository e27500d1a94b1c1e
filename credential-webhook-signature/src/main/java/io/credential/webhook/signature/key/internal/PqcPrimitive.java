package io.credential.webhook.signature.key.internal;

/** Signs with a private key, or verifies with a public key. Thread-safe. */
interface PqcPrimitive {

    byte[] sign(byte[] head, byte[] body);

    /** Returns whether a signature of the right length is valid for the head followed by the body. */
    boolean verify(byte[] head, byte[] body, byte[] signature);
}
