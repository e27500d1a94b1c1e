package io.credential.webhook.delivery.internal.engine;

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.testing.TestThreads;

class WakeupTests {

    private static final long LONG_MILLIS = Patience.LIMIT.multipliedBy(2).toMillis();

    private final MutableClock clock = MutableClock.atNewYear();
    private final Wakeup wakeup = new Wakeup(clock);

    @AutoClose
    private final TestThreads threads = new TestThreads();

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, 0})
    void awaitWhenTimeIsPastThenReturnsAtOnce(long time) throws Exception {
        wakeup.at(time);

        Patience.get(CompletableFuture.runAsync(this::awaitLong, threads));
    }

    @Test
    void awaitWhenPastTimeWasAwaitedThenLaterOnesCount() throws Exception {
        wakeup.at(Long.MIN_VALUE);
        wakeup.await(LONG_MILLIS);

        wakeup.at(clock.millis());

        Patience.get(CompletableFuture.runAsync(this::awaitLong, threads));
    }

    private void awaitLong() {
        try {
            wakeup.await(LONG_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
