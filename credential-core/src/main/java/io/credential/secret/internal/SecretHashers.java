package io.credential.secret.internal;

import java.security.SecureRandom;
import java.util.List;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

import io.credential.secret.HashAlgorithm;

/**
 * Creates hashers that hash with one algorithm and understand the stored texts of all. The hashers of one instance
 * share the permits of costly hashes; those of other systems have half as many, which they do not share. Hash only inputs with at least 128 random bits, not passwords: anyone who has a stored
 * hash can test guesses fast, even with Argon2id. Thread-safe.
 */
public final class SecretHashers {

    private final HashMethod shake256 = new Shake256Hash();
    private final HashMethod argon2id;
    private final List<StoredHash> supported;

    /**
     * @param argon2 cost and concurrency of Argon2id; also raises the ceiling above which a stored hash must be authentic
     * @param random the source of salts
     */
    public SecretHashers(Argon2Settings argon2, SecureRandom random) {
        this.argon2id = new Argon2idHash(argon2, random, new HashPermits(argon2.maxConcurrent(), argon2.maxWait()));
        this.supported = List.of(shake256, argon2id, new ImportedHash(argon2, random));
    }

    /** Returns a hasher that hashes with this algorithm. */
    public SecretHasher using(HashAlgorithm algorithm) {
        HashMethod current = switch (algorithm) {
            case SHAKE256 -> shake256;
            case ARGON2ID -> argon2id;
        };
        return new MultiAlgorithmHasher(current, supported);
    }

    /** Hashes with one algorithm and compares with the one that the stored text names. */
    private record MultiAlgorithmHasher(HashMethod current, List<StoredHash> supported) implements SecretHasher {

        @Override
        public String hash(byte[] input) {
            return current.hash(input);
        }

        @Override
        public String decoy(byte[] unknown) {
            return current.decoy(unknown);
        }

        @Override
        public boolean matches(byte[] input, String storedHash, BooleanSupplier isAuthentic) {
            StoredHash algorithm = algorithmOf(storedHash);
            return algorithm != null && algorithm.matches(input, storedHash, isAuthentic);
        }

        @Override
        public boolean mayMatch(byte[] input, String storedHash) {
            StoredHash algorithm = algorithmOf(storedHash);
            return algorithm != null && algorithm.mayMatch(input, storedHash);
        }

        private @Nullable StoredHash algorithmOf(String storedHash) {
            for (StoredHash algorithm : supported) {
                if (algorithm.owns(storedHash)) {
                    return algorithm;
                }
            }
            return null;
        }

        @Override
        public boolean isCostly(String storedHash) {
            StoredHash algorithm = algorithmOf(storedHash);
            return algorithm != null && algorithm.isCostly(storedHash);
        }

        @Override
        public boolean needsRehash(String storedHash) {
            return !current.owns(storedHash) || !current.isCurrent(storedHash);
        }
    }
}
