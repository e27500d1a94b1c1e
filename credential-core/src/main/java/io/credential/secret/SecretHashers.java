package io.credential.secret;

import java.security.SecureRandom;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Makes hashers that hash with one algorithm and understand the stored texts of all. The hashers of one instance share
 * the permits of Argon2id. Thread-safe.
 *
 * @since 0.1.0
 */
public final class SecretHashers {

    private final Map<HashAlgorithm, SecretHasher> byAlgorithm = new EnumMap<>(HashAlgorithm.class);

    /**
     * @param argon2 cost and concurrency of Argon2id; also raises the ceiling above which a stored hash is refused
     * @param random the source of salts
     */
    public SecretHashers(Argon2Settings argon2, SecureRandom random) {
        StoredHash shake256 = new Shake256Hash();
        StoredHash argon2id = new Argon2idHash(argon2, random);
        List<StoredHash> all = List.of(shake256, argon2id);
        byAlgorithm.put(HashAlgorithm.SHAKE256, new MultiAlgorithmHasher(shake256, all));
        byAlgorithm.put(HashAlgorithm.ARGON2ID, new MultiAlgorithmHasher(argon2id, all));
    }

    /** A hasher that hashes with this algorithm. */
    public SecretHasher using(HashAlgorithm algorithm) {
        SecretHasher hasher = byAlgorithm.get(algorithm);
        if (hasher == null) {
            throw new IllegalArgumentException("No hasher for " + algorithm);
        }
        return hasher;
    }

    /** Hashes with one algorithm and compares with the one that the stored text names. */
    private record MultiAlgorithmHasher(StoredHash current, List<StoredHash> supported) implements SecretHasher {

        @Override
        public String hash(byte[] input) {
            return current.hash(input);
        }

        @Override
        public boolean matches(byte[] input, String storedHash) {
            for (StoredHash algorithm : supported) {
                if (algorithm.owns(storedHash)) {
                    return algorithm.matches(input, storedHash);
                }
            }
            return false;
        }

        @Override
        public boolean needsRehash(String storedHash) {
            return !current.owns(storedHash) || !current.isCurrent(storedHash);
        }
    }
}
