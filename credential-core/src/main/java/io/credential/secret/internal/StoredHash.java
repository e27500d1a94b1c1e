package io.credential.secret.internal;

import java.util.function.BooleanSupplier;

/** One hash algorithm and the form of its stored texts. Thread-safe. */
interface StoredHash {

    /** Whether a stored text claims to be of this algorithm. */
    boolean owns(String storedHash);

    String hash(byte[] input);

    /** Returns a text that costs as much to compare as a hash, but matches no input. */
    String decoy(byte[] unknown);

    /**
     * Returns whether the input has this hash. Returns false, without hashing, for a stored text that
     * is malformed or too costly.
     */
    boolean matches(byte[] input, String storedHash, BooleanSupplier isAuthentic);

    /** Returns whether the input passes the fast check of a stored text; false if the text is malformed. */
    boolean mayMatch(byte[] input, String storedHash);

    /** Whether a stored text has the parameters that {@link #hash} would use. */
    boolean isCurrent(String storedHash);
}
