package io.credential.secret;

/** One algorithm and the stored text that describes its hashes. Thread-safe. */
interface StoredHash {

    /** Whether a stored text claims to be of this algorithm. */
    boolean owns(String storedHash);

    String hash(byte[] input);

    /** False for a stored text that is malformed or too costly, and then without hashing. */
    boolean matches(byte[] input, String storedHash);

    /** Whether a stored text has the parameters that {@link #hash} would use. */
    boolean isCurrent(String storedHash);
}
