package io.credential.webhook.signature.key;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

import org.jspecify.annotations.Nullable;

/**
 * Reveals whether two keys are equal, and nothing else. Equal keys have equal identities, whatever their encoding.
 * Immutable.
 *
 * @since 0.1.0
 */
public final class KeyIdentity {

    private final byte[] digest;

    private KeyIdentity(byte[] digest) {
        this.digest = digest;
    }

    /** Returns the identity of a key. */
    public static KeyIdentity of(byte[] key) {
        try {
            return new KeyIdentity(MessageDigest.getInstance("SHA-256").digest(key));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime does not provide SHA-256", e);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyIdentity that && MessageDigest.isEqual(digest, that.digest);
    }

    @Override
    public int hashCode() {
        return ByteBuffer.wrap(digest).getInt();
    }

    @Override
    public String toString() {
        return "KeyIdentity[not shown]";
    }
}
