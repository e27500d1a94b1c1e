package io.credential.secret.internal;

import java.util.function.BooleanSupplier;

/** Hashes secrets into self-describing texts, and compares them in constant time. Thread-safe. */
public interface SecretHasher {

    /**
     * @param input the bytes that stand for the secret, already bound to its context
     * @return a text that names algorithm and parameters, and differs from call to call if the algorithm uses a salt
     * @throws HasherBusyException if no permit was free in time
     */
    String hash(byte[] input);

    /**
     * Returns a text that costs as much to compare as that of {@link #hash}, but matches no input that a caller can find.
     *
     * @param unknown random bytes that nobody keeps; an algorithm that is costly by design does not hash them
     */
    String decoy(byte[] unknown);

    /**
     * Whether the input has this hash. Costs the same for all inputs of the same length that fail {@link #mayMatch}.
     *
     * @return also false for a stored text that this hasher does not understand, or whose cost exceeds the ceiling
     * @throws HasherBusyException if no permit was free in time
     */
    default boolean matches(byte[] input, String storedHash) {
        return matches(input, storedHash, () -> false);
    }

    /**
     * Whether the input has this hash, like the method above, but also if the cost exceeds the ceiling and an earlier
     * configuration chose it.
     *
     * @param isAuthentic whether the stored text is from a holder of the keyring; called only if its cost exceeds the ceiling
     * @throws HasherBusyException if no permit was free in time
     */
    boolean matches(byte[] input, String storedHash, BooleanSupplier isAuthentic);

    /**
     * Returns false if a fast check shows that the input does not have this hash. Needs no permit. By default, returns
     * true.
     */
    default boolean mayMatch(byte[] input, String storedHash) {
        return true;
    }

    /** Whether comparing with a stored text takes milliseconds, and so a permit. */
    boolean isCostly(String storedHash);

    /** Whether {@link #hash} would now use another algorithm or other parameters. */
    boolean needsRehash(String storedHash);
}
