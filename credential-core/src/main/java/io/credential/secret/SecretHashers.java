package io.credential.secret;

import java.security.SecureRandom;

/**
 * Makes hashers that hash with one algorithm and understand the stored texts of all. The hashers of one instance share
 * the permits of Argon2id.
 *
 * @since 0.1.0
 */
public final class SecretHashers {

    public SecretHashers(Argon2Settings argon2, SecureRandom random) {
        throw new UnsupportedOperationException();
    }

    /** A hasher that hashes with this algorithm. */
    public SecretHasher using(HashAlgorithm algorithm) {
        throw new UnsupportedOperationException();
    }
}
