package io.credential.apikey.internal;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.Test;

import io.credential.apikey.RegistryFixture;
import io.credential.secret.internal.SecretHasher;

import static org.assertj.core.api.Assertions.assertThat;

/** Every input passes the fast check of this hasher. */
class RememberedHashesTests {

    private static final byte[] INPUT = {1};

    private final AtomicInteger comparisons = new AtomicInteger();
    private final RememberedHashes hashes = new RememberedHashes(new Hasher(), RegistryFixture.RANDOM);

    @Test
    void matchesWhenAGuessPassesTheCheckThenHashedOnce() {
        for (int i = 0; i < 3; i++) {
            assertThat(hashes.matches(INPUT, "$argon2id$stored", () -> true)).isFalse();
        }

        assertThat(comparisons).hasValue(1);
    }

    @Test
    void matchesWhenMacDecidesThenNotRemembered() {
        assertThat(hashes.matches(INPUT, "$argon2id$authentic", () -> false)).isFalse();
        assertThat(hashes.matches(INPUT, "$argon2id$authentic", () -> true)).isTrue();
    }

    private final class Hasher implements SecretHasher {

        @Override
        public String hash(byte[] input) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String decoy(byte[] unknown) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean matches(byte[] input, String storedHash, BooleanSupplier isAuthentic) {
            comparisons.incrementAndGet();
            return storedHash.endsWith("authentic") && isAuthentic.getAsBoolean();
        }

        @Override
        public boolean isCostly(String storedHash) {
            return storedHash.startsWith("$argon2id$");
        }

        @Override
        public boolean needsRehash(String storedHash) {
            throw new UnsupportedOperationException();
        }
    }
}
