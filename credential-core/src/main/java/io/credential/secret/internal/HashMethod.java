package io.credential.secret.internal;

/** An algorithm with which new secrets are hashed. Thread-safe. */
interface HashMethod extends StoredHash {

    String hash(byte[] input);

    /** Returns a text that costs as much to compare as a hash, but matches no input. */
    String decoy(byte[] unknown);

    /** Whether a stored text has the parameters that {@link #hash} would use. */
    boolean isCurrent(String storedHash);
}
