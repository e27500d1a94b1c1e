package io.credential.webhook.replay;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import io.credential.testing.InParallel;
import io.credential.testing.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;

/** What every nonce store keeps. */
abstract class NonceStoreContract {

    private static final int CALLERS = 64;

    final MutableClock clock = MutableClock.atNewYear();
    private NonceStore store;

    /** A store on the clock of the test, with room for some hundreds of nonces. */
    abstract NonceStore newStore();

    @BeforeEach
    void createStore() {
        store = newStore();
    }

    @Test
    void checkAndInsertWhenNonceIsKnownThenFalse() {
        assertThat(store.checkAndInsert("a", in(60))).isTrue();
        assertThat(store.checkAndInsert("a", in(60))).isFalse();
        assertThat(store.checkAndInsert("a", in(600))).isFalse();
        assertThat(store.checkAndInsert("b", in(60))).isTrue();
    }

    @Test
    void forgetThenNonceIsNewAgain() {
        store.checkAndInsert("a", in(60));
        store.checkAndInsert("b", in(60));

        store.forget("a", in(60));
        store.forget("unknown", in(60));

        assertThat(store.checkAndInsert("b", in(60))).isFalse();
        assertThat(store.checkAndInsert("a", in(60))).isTrue();
        assertThat(store.checkAndInsert("a", in(60))).isFalse();
    }

    /** Another request has stored it since. */
    @Test
    void forgetWhenTheTimeIsAnotherThenNothing() {
        store.checkAndInsert("a", in(60));

        store.forget("a", in(59));

        assertThat(store.checkAndInsert("a", in(60))).isFalse();
    }

    @Test
    void checkAndInsertWhenOnlyCaseDiffersThenTrue() {
        assertThat(store.checkAndInsert("nonce", in(60))).isTrue();
        assertThat(store.checkAndInsert("Nonce", in(60))).isTrue();
    }

    @Test
    void checkAndInsertWhenItsTimeIsOverThenTrueAgain() {
        Instant end = in(60);
        store.checkAndInsert("a", end);

        clock.set(end.minusMillis(1));
        assertThat(store.checkAndInsert("a", in(60))).isFalse();

        clock.set(end);
        assertThat(store.checkAndInsert("a", in(60))).isTrue();
        assertThat(store.checkAndInsert("a", in(60))).isFalse();
    }

    @Test
    void checkAndInsertWhenRefusedThenTimeIsNotProlonged() {
        Instant end = in(60);
        store.checkAndInsert("a", end);
        store.checkAndInsert("a", in(600));

        clock.set(end);

        assertThat(store.checkAndInsert("a", in(60))).isTrue();
    }

    @Test
    void checkAndInsertWhenTimeIsPastThenFalse() {
        assertThat(store.checkAndInsert("a", clock.instant())).isFalse();
        assertThat(store.checkAndInsert("a", in(-60))).isFalse();
        assertThat(store.checkAndInsert("a", in(60))).isTrue();
    }

    @RepeatedTest(3)
    void checkAndInsertWhenConcurrentThenOneWins() throws Exception {
        assertThat(concurrently("a")).containsOnlyOnce(true).hasSize(CALLERS);
    }

    @Test
    void checkAndInsertWhenExpiredAndConcurrentThenOneWins() throws Exception {
        store.checkAndInsert("a", in(60));
        clock.advance(Duration.ofSeconds(60));

        assertThat(concurrently("a")).containsOnlyOnce(true).hasSize(CALLERS);
    }

    final Instant in(long seconds) {
        return clock.instant().plusSeconds(seconds);
    }

    private List<Boolean> concurrently(String nonce) {
        return InParallel.run(CALLERS, () -> store.checkAndInsert(nonce, in(60)));
    }
}
