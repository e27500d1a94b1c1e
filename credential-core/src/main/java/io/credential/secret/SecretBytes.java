package io.credential.secret;

import java.security.SecureRandom;

/**
 * Bytes that must not leak: copied in and out, compared in constant time, never printed, wiped on close.
 *
 * @since 0.1.0
 */
public final class SecretBytes implements AutoCloseable {

    public static SecretBytes copyOf(byte[] bytes) {
        throw new UnsupportedOperationException();
    }

    public static SecretBytes random(int length, SecureRandom random) {
        throw new UnsupportedOperationException();
    }

    /** A copy for the caller to wipe. */
    public byte[] toByteArray() {
        throw new UnsupportedOperationException();
    }

    public int length() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
