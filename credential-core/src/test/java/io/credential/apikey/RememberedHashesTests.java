package io.credential.apikey;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.credential.secret.HasherBusyException;
import io.credential.secret.SecretHasher;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What suspects with secrets that were never compared before wait for. The hasher answers when it is told to. */
class RememberedHashesTests {

    private static final String STORED = "$argon2id$stored";

    private final CountDownLatch answers = new CountDownLatch(1);
    private final AtomicInteger comparisons = new AtomicInteger();
    private final RememberedHashes hashes = new RememberedHashes(new SlowHasher(), RegistryFixture.RANDOM);
    private final List<CompletableFuture<Boolean>> suspects = new ArrayList<>();

    @AfterEach
    void answer() throws Exception {
        answers.countDown();
        for (CompletableFuture<Boolean> suspect : suspects) {
            Patience.get(suspect);
        }
    }

    @Test
    void matchesSuspectWhenTokensAreTheSameThenHashedOnce() {
        suspect("id", 1);
        Patience.until(() -> comparisons.get() == 1);
        suspect("id", 1);
        suspect("id", 1);
        answers.countDown();

        assertThat(suspects)
                .allSatisfy(suspect -> assertThat(Patience.get(suspect)).isFalse());
        assertThat(comparisons).hasValue(1);
    }

    @Test
    void matchesSuspectWhenOneKeyIsGuessedThenOthersRun() {
        for (int guess = 0; guess < 4; guess++) {
            suspect("guessed", guess);
        }
        Patience.until(() -> comparisons.get() == 4);

        assertThatExceptionOfType(HasherBusyException.class)
                .isThrownBy(() -> hashes.matchesSuspect("guessed", new byte[] {9}, STORED, () -> true));
        suspect("other", 9);
        Patience.until(() -> comparisons.get() == 5);
        assertThat(hashes.hash(new byte[] {1})).isEqualTo(STORED);
    }

    @Test
    void matchesSuspectWhenGuessesAreOverThenServedAgain() {
        answers.countDown();
        for (int guess = 0; guess < 10; guess++) {
            assertThat(hashes.matchesSuspect("guessed", new byte[] {(byte) guess}, STORED, () -> true))
                    .isFalse();
        }
    }

    @Test
    void matchesSuspectWhenMacDecidesThenNotRemembered() {
        answers.countDown();

        assertThat(hashes.matchesSuspect("id", new byte[] {1}, "$argon2id$authentic", () -> false))
                .isFalse();
        assertThat(hashes.matchesSuspect("id", new byte[] {1}, "$argon2id$authentic", () -> true))
                .isTrue();
    }

    private void suspect(String id, int secret) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        suspects.add(answer);
        Thread thread = new Thread(() -> {
            try {
                answer.complete(hashes.matchesSuspect(id, new byte[] {(byte) secret}, STORED, () -> true));
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        thread.start();
    }

    private final class SlowHasher implements SecretHasher {

        @Override
        public String hash(byte[] input) {
            return STORED;
        }

        @Override
        public String decoy(byte[] unknown) {
            return STORED;
        }

        @Override
        public boolean matches(byte[] input, String storedHash, BooleanSupplier isAuthentic) {
            comparisons.incrementAndGet();
            Patience.await(answers);
            return storedHash.endsWith("authentic") && isAuthentic.getAsBoolean();
        }

        @Override
        public boolean needsRehash(String storedHash) {
            return false;
        }
    }
}
