package io.credential.webhook.signature.key.internal;

/** One key of a signer. Thread-safe. */
public interface SigningKey {

    /** Returns the signature of the head followed by the body, encoded for the header. */
    String sign(byte[] head, byte[] body);
}
