package io.credential.secret;

import java.util.List;

/** Hashes with one algorithm and compares with the one that the stored text names. */
final class DispatchingHasher implements SecretHasher {

    private final StoredHash current;
    private final List<StoredHash> understood;

    DispatchingHasher(StoredHash current, List<StoredHash> understood) {
        this.current = current;
        this.understood = understood;
    }

    @Override
    public String hash(byte[] input) {
        return current.hash(input);
    }

    @Override
    public boolean matches(byte[] input, String storedHash) {
        for (StoredHash algorithm : understood) {
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
