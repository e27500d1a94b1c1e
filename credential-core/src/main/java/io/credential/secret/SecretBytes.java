package io.credential.secret;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.Function;

/**
 * Holds bytes that must not leak: copies them in and out, compares them in constant time, never prints them, and wipes
 * them on close. Thread-safe.
 *
 * @since 0.1.0
 */
public final class SecretBytes implements AutoCloseable {

    private final byte[] bytes;
    private boolean closed;

    private SecretBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Copies the bytes; the caller should wipe the array. */
    public static SecretBytes copyOf(byte[] bytes) {
        return new SecretBytes(bytes.clone());
    }

    /** Copies the first bytes of an array, which the caller should wipe. */
    public static SecretBytes copyOf(byte[] bytes, int length) {
        return new SecretBytes(Arrays.copyOf(bytes, length));
    }

    /** Copies the bytes and wipes the array. */
    public static SecretBytes copyAndWipe(byte[] bytes) {
        try {
            return copyOf(bytes);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /**
     * @param length in bytes
     * @throws IllegalArgumentException if the length is not positive
     */
    public static SecretBytes random(int length, SecureRandom random) {
        if (length < 1) {
            throw new IllegalArgumentException("A random secret must have at least 1 byte, not " + length);
        }
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return new SecretBytes(bytes);
    }

    /**
     * Returns a copy, which the caller should wipe.
     *
     * @throws IllegalStateException if these bytes were closed
     */
    public synchronized byte[] toByteArray() {
        requireOpen();
        return bytes.clone();
    }

    /**
     * Calls a function with a copy that is wiped afterwards. The function must neither keep nor return the array.
     *
     * @throws IllegalStateException if these bytes were closed
     */
    public <T> T use(Function<byte[], T> function) {
        byte[] copy = toByteArray();
        try {
            return function.apply(copy);
        } finally {
            Arrays.fill(copy, (byte) 0);
        }
    }

    /**
     * Calls a function with these bytes themselves and then wipes them: for bytes that are used once, by one thread. The
     * function must neither keep nor return the array.
     *
     * @throws IllegalStateException if these bytes were closed
     */
    public <T> T useAndClose(Function<byte[], T> function) {
        try {
            synchronized (this) {
                requireOpen();
            }
            return function.apply(bytes);
        } finally {
            close();
        }
    }

    /** Returns the number of bytes, even after {@link #close}. */
    public int length() {
        return bytes.length;
    }

    /** Wipes the bytes; closing again does nothing. */
    @Override
    public synchronized void close() {
        closed = true;
        Arrays.fill(bytes, (byte) 0);
    }

    @Override
    public String toString() {
        return "SecretBytes[" + bytes.length + " bytes]";
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("These secret bytes were closed and wiped");
        }
    }
}
