package io.credential.secret.internal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

import io.credential.secret.SecretBytes;

/**
 * Concatenates fields, each in UTF-8 after its length as four big-endian bytes, so that no byte can move from one field
 * to the next unnoticed. Not thread-safe.
 */
public final class FieldBytes {

    private static final byte ABSENT = 0;
    private static final byte PRESENT = 1;

    private byte[] buffer;
    private int length;

    public FieldBytes(int expectedLength) {
        this.buffer = new byte[expectedLength];
    }

    public FieldBytes text(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        int size = utf8.length;
        ensureRoom(Integer.BYTES + size);
        buffer[length++] = (byte) (size >>> 24);
        buffer[length++] = (byte) (size >>> 16);
        buffer[length++] = (byte) (size >>> 8);
        buffer[length++] = (byte) size;
        append(utf8, 0, size);
        Arrays.fill(utf8, (byte) 0);
        return this;
    }

    /** Adds a byte that distinguishes null from a value, then the value. */
    public FieldBytes optionalText(@Nullable String value) {
        ensureRoom(1);
        buffer[length++] = value == null ? ABSENT : PRESENT;
        return value == null ? this : text(value);
    }

    /** Adds bytes as they are, such as the fields of another instance. */
    public FieldBytes append(byte[] bytes, int offset, int size) {
        ensureRoom(size);
        System.arraycopy(bytes, offset, buffer, length, size);
        length += size;
        return this;
    }

    /** Valid up to {@link #length()}. */
    public byte[] buffer() {
        return buffer;
    }

    public int length() {
        return length;
    }

    /** Returns the SHA-256 of the fields in lower-case hex. */
    public String sha256() {
        return sha256(buffer, length);
    }

    /** Returns the SHA-256 of the first bytes of an array in lower-case hex. */
    public static String sha256(byte[] bytes, int length) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes, 0, length);
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java runtime has SHA-256", e);
        }
    }

    /** Moves the fields out, so that no copy of a secret remains here. */
    public SecretBytes toSecretBytes() {
        SecretBytes fields = SecretBytes.copyOf(buffer, length);
        Arrays.fill(buffer, (byte) 0);
        length = 0;
        return fields;
    }

    private void ensureRoom(int more) {
        int needed = Math.addExact(length, more);
        if (needed > buffer.length) {
            byte[] larger = Arrays.copyOf(buffer, Math.max(needed, 2 * buffer.length));
            Arrays.fill(buffer, (byte) 0);
            buffer = larger;
        }
    }
}
