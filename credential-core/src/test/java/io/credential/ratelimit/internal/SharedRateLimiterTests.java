package io.credential.ratelimit.internal;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.credential.ratelimit.BucketStore;
import io.credential.ratelimit.RateLimit;
import io.credential.ratelimit.RateLimitDecision;
import io.credential.ratelimit.RateLimiter;
import io.credential.ratelimit.RateLimiterUnavailableException;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A limiter on a store that is slow, or fails. */
class SharedRateLimiterTests {

    private static final RateLimit TEN = new RateLimit(10, Duration.ofSeconds(60));
    private static final Duration GENEROUS = Duration.ofMinutes(5);

    private final MutableClock clock = MutableClock.atNewYear();
    private final Store store = new Store();
    private final RateLimiter limiter = limiter(GENEROUS);

    private RateLimiter limiter(Duration maxWait) {
        return new SharedRateLimiter(store, clock, GENEROUS, maxWait);
    }

    private void assertUnavailable(RateLimiter limiter) {
        assertThatExceptionOfType(RateLimiterUnavailableException.class)
                .isThrownBy(() -> limiter.tryAcquire("a", TEN))
                .withMessage("The rate limit store is not available; retry later");
    }

    @Test
    void tryAcquireWhenTheStoreFailedThenNotAskedForASecond() {
        store.beforeFind = () -> {
            throw new IllegalStateException("The store is gone");
        };
        assertUnavailable(limiter);
        clock.advance(Duration.ofMillis(999));
        assertUnavailable(limiter);
        assertThat(store.finds).hasValue(1);

        store.beforeFind = () -> {};
        clock.advance(Duration.ofMillis(1));
        assertThat(limiter.tryAcquire("a", TEN).remaining()).isEqualTo(9);
    }

    @Test
    void tryAcquireWhenOneBucketFailedThenOthersAreAsked() {
        store.beforeFind = () -> {
            throw new IllegalStateException("The store is gone");
        };
        assertUnavailable(limiter);
        store.beforeFind = () -> {};

        assertThat(limiter.tryAcquire("b", TEN).allowed()).isTrue();
    }

    @Test
    void tryAcquireWhenTheStoreHangsThenOthersGiveUp() throws Exception {
        RateLimiter hasty = limiter(Duration.ofMillis(20));
        hasty.tryAcquire("a", TEN);
        try (Hang hang = new Hang()) {
            FutureTask<RateLimitDecision> first = start(hasty);
            Patience.await(hang.entered);

            assertUnavailable(hasty);
            hang.release();
            assertThat(Patience.get(first).allowed()).isTrue();
        }
    }

    @Test
    void tryAcquireWhenManyWaitThenOneAccessServesThem() throws Exception {
        limiter.tryAcquire("a", TEN);
        try (Hang hang = new Hang()) {
            FutureTask<RateLimitDecision> first = start(limiter);
            Patience.await(hang.entered);
            int before = store.finds.get();
            Stream<FutureTask<RateLimitDecision>> others = startWaiting(20);
            hang.release();

            assertThat(others.map(SharedRateLimiterTests::get).filter(RateLimitDecision::allowed))
                    .hasSize(8);
            assertThat(Patience.get(first).allowed()).isTrue();
            assertThat(store.finds.get() - before).isEqualTo(1);
        }
    }

    @Test
    void tryAcquireWhenTheStoreFailsThenThoseWhoWaitFailToo() throws Exception {
        try (Hang hang = new Hang()) {
            var unused = start(limiter);
            Patience.await(hang.entered);
            Stream<FutureTask<RateLimitDecision>> others = startWaiting(5);
            int before = store.finds.get();
            hang.fails = true;
            hang.release();

            others.forEach(other -> assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> Patience.get(other))
                    .withCauseInstanceOf(RateLimiterUnavailableException.class));
            assertThat(store.finds).hasValue(before);
        }
    }

    @Test
    void tryAcquireWhenTheStoreIsSlowThenNotRefusedTooLong() {
        for (int i = 0; i < 10; i++) {
            limiter.tryAcquire("a", TEN);
        }
        store.afterFind = () -> clock.advance(Duration.ofSeconds(20));
        assertThat(limiter.tryAcquire("a", TEN).allowed()).isFalse();
        store.afterFind = () -> {};
        clock.advance(Duration.ofSeconds(40));

        assertThat(limiter.tryAcquire("a", TEN).allowed()).isTrue();
    }

    private static RateLimitDecision get(FutureTask<RateLimitDecision> task) {
        try {
            return Patience.get(task);
        } catch (ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    private FutureTask<RateLimitDecision> start(RateLimiter limiter) {
        FutureTask<RateLimitDecision> task = new FutureTask<>(() -> limiter.tryAcquire("a", TEN));
        new Thread(task).start();
        return task;
    }

    /** Starts requests, and waits until they wait for the one that asks the store. */
    private Stream<FutureTask<RateLimitDecision>> startWaiting(int count) {
        return Stream.generate(() -> {
                    FutureTask<RateLimitDecision> task = new FutureTask<>(() -> limiter.tryAcquire("a", TEN));
                    Thread thread = new Thread(task);
                    thread.start();
                    Patience.until(() -> thread.getState() == Thread.State.TIMED_WAITING);
                    return task;
                })
                .limit(count)
                .toList()
                .stream();
    }

    /** Lets the store hang until it is closed. */
    private final class Hang implements AutoCloseable {

        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);
        private volatile boolean fails;

        Hang() {
            store.beforeFind = () -> {
                entered.countDown();
                Patience.await(released);
                if (fails) {
                    throw new IllegalStateException("The store is gone");
                }
            };
        }

        void release() {
            released.countDown();
        }

        @Override
        public void close() {
            release();
        }
    }

    private static final class Store implements BucketStore {

        private final Map<String, byte[]> states = new ConcurrentHashMap<>();
        private final AtomicInteger finds = new AtomicInteger();
        private volatile Runnable beforeFind = () -> {};
        private volatile Runnable afterFind = () -> {};

        @Override
        public Optional<byte[]> find(String bucket) {
            finds.incrementAndGet();
            beforeFind.run();
            Optional<byte[]> state = Optional.ofNullable(states.get(bucket));
            afterFind.run();
            return state;
        }

        @Override
        public synchronized boolean replace(
                String bucket, byte @Nullable [] expected, byte[] state, Duration timeToLive) {
            if (!Arrays.equals(states.get(bucket), expected)) {
                return false;
            }
            states.put(bucket, state);
            return true;
        }
    }
}
