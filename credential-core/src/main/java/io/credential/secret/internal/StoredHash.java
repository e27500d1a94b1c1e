package io.credential.secret.internal;

import java.util.function.BooleanSupplier;

/** The stored texts of one form, and how a secret is compared with them. Thread-safe. */
interface StoredHash {

    /** Whether a stored text claims to be of this algorithm. */
    boolean owns(String storedHash);

    /** Whether comparing with a stored text takes milliseconds, and so a permit. */
    boolean isCostly(String storedHash);

    /**
     * Returns whether the input has this hash. Returns false, without hashing, for a stored text that
     * is malformed or too costly.
     */
    boolean matches(byte[] input, String storedHash, BooleanSupplier isAuthentic);

    /** Returns whether the input passes the fast check of a stored text; false if the text is malformed. */
    boolean mayMatch(byte[] input, String storedHash);
}
