package io.credential.webhook.signature;

/** One key of a signer. Thread-safe. */
interface SigningKey {

    /** The signature of two stretches of bytes, one after the other, as it stands in a header. */
    String sign(byte[] head, byte[] body);
}
