package io.credential.webhook.replay;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.credential.testing.InParallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class InMemoryNonceStoreTests extends NonceStoreContract {

    @Override
    NonceStore newStore() {
        return new InMemoryNonceStore(clock, 500);
    }

    @Test
    void checkAndInsertWhenFullThenThrowsAndForgetsNothing() {
        InMemoryNonceStore store = new InMemoryNonceStore(clock, 3);
        store.checkAndInsert("a", in(60));
        store.checkAndInsert("b", in(60));
        store.checkAndInsert("c", in(60));

        assertThatExceptionOfType(NonceStoreFullException.class)
                .isThrownBy(() -> store.checkAndInsert("d", in(60)))
                .withMessageContaining("3 nonces");

        assertThat(store.checkAndInsert("a", in(60))).isFalse();
        assertThat(store.checkAndInsert("b", in(60))).isFalse();
        assertThat(store.checkAndInsert("c", in(60))).isFalse();
    }

    @Test
    void checkAndInsertWhenNoncesExpireThenThereIsRoom() {
        InMemoryNonceStore store = new InMemoryNonceStore(clock, 3);
        for (int round = 0; round < 50; round++) {
            for (String nonce : new String[] {"a", "b", "only in " + round}) {
                assertThat(store.checkAndInsert(nonce, in(360))).isTrue();
                assertThat(store.checkAndInsert(nonce, in(360))).isFalse();
            }
            clock.advance(Duration.ofSeconds(365));
        }
    }

    @Test
    void checkAndInsertWhenConcurrentThenNeverBeyondRoom() {
        InMemoryNonceStore store = new InMemoryNonceStore(clock, 100);
        AtomicInteger nonces = new AtomicInteger();

        int inserted = InParallel.countSuccesses(16, 50, round -> {
            try {
                return store.checkAndInsert("n" + nonces.incrementAndGet(), in(60));
            } catch (NonceStoreFullException e) {
                return false;
            }
        });

        assertThat(inserted).isEqualTo(100);
    }

    @Test
    void constructorWhenCapacityIsZeroThenRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new InMemoryNonceStore(clock, 0));
        assertThat(new InMemoryNonceStore(clock).checkAndInsert("a", in(60))).isTrue();
    }
}
