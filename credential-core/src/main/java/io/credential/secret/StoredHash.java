package io.credential.secret;

import java.util.function.BooleanSupplier;

/** One hash algorithm and the form of its stored texts. Thread-safe. */
interface StoredHash {

    /** Whether a stored text claims to be of this algorithm. */
    boolean owns(String storedHash);

    String hash(byte[] input);

    /** As {@link SecretHasher#decoy}. */
    String decoy(byte[] unknown);

    /**
     * As {@link SecretHasher#matches(byte[], String, BooleanSupplier)}. Returns false, without hashing, for a stored text that
     * is malformed or too costly.
     */
    boolean matches(byte[] input, String storedHash, BooleanSupplier isAuthentic);

    /** As {@link SecretHasher#mayMatch}. Returns false for a malformed text. */
    boolean mayMatch(byte[] input, String storedHash);

    /** Whether a stored text has the parameters that {@link #hash} would use. */
    boolean isCurrent(String storedHash);
}
