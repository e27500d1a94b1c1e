package io.credential.secret;

/**
 * Hashes secrets into self-describing texts and compares in constant time. Thread-safe.
 *
 * @since 0.1.0
 */
public interface SecretHasher {

    /**
     * @param input the bytes that stand for the secret, already bound to its context
     * @return a text that names algorithm and parameters; a fresh salt makes it differ from call to call where the
     *     algorithm has one
     * @throws HasherBusyException if no permit was free in time
     */
    String hash(byte[] input);

    /**
     * Whether the input is the one hashed before. Costs the same for any input of one length.
     *
     * @return false as well for a stored text that this hasher does not understand, or whose cost exceeds the ceiling
     * @throws HasherBusyException if no permit was free in time
     */
    boolean matches(byte[] input, String storedHash);

    /** Whether {@link #hash} would make a text of another algorithm or other parameters today. */
    boolean needsRehash(String storedHash);
}
