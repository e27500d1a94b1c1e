package io.credential.ratelimit.internal;

import java.time.Duration;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import io.credential.ratelimit.BucketStore;
import io.credential.ratelimit.RateLimit;
import io.credential.ratelimit.RateLimitDecision;
import io.credential.ratelimit.RateLimiter;
import io.credential.testing.InParallel;
import io.credential.testing.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What every rate limiter keeps. */
public abstract class RateLimiterContract {

    protected static final RateLimit THREE = new RateLimit(3, Duration.ofSeconds(60));

    private static final Duration GENEROUS = Duration.ofMinutes(5);

    protected final MutableClock clock = MutableClock.atNewYear();
    protected RateLimiter limiter;

    /** A limiter on the clock of the test, of whose buckets none has been used. */
    protected abstract RateLimiter newLimiter();

    /** A limiter on a store that waits for as long as a slow machine needs. */
    protected final RateLimiter sharedOn(BucketStore store) {
        return new SharedRateLimiter(store, clock, GENEROUS, GENEROUS);
    }

    @BeforeEach
    void createLimiter() {
        limiter = newLimiter();
    }

    @Test
    void tryAcquireWhenWithinTheLimitThenCountsDown() {
        assertThat(limiter.tryAcquire("a", THREE))
                .isEqualTo(new RateLimitDecision(true, THREE, 2, Duration.ofSeconds(60)));
        clock.advance(Duration.ofSeconds(20));
        assertThat(limiter.tryAcquire("a", THREE))
                .isEqualTo(new RateLimitDecision(true, THREE, 1, Duration.ofSeconds(40)));
        assertThat(limiter.tryAcquire("a", THREE).remaining()).isZero();
    }

    @Test
    void tryAcquireWhenTheLimitIsReachedThenRefused() {
        exhaust("a");
        clock.advance(Duration.ofMillis(59_999));

        assertThat(limiter.tryAcquire("a", THREE))
                .isEqualTo(new RateLimitDecision(false, THREE, 0, Duration.ofMillis(1)));
    }

    @Test
    void tryAcquireWhenTheWindowEndsThenTheFullLimitApplies() {
        exhaust("a");
        clock.advance(Duration.ofSeconds(60));

        exhaust("a");
        assertThat(limiter.tryAcquire("a", THREE).allowed()).isFalse();
    }

    @Test
    void tryAcquireWhenRefusedThenItDoesNotCount() {
        exhaust("a");
        for (int i = 0; i < 10; i++) {
            assertThat(limiter.tryAcquire("a", THREE).allowed()).isFalse();
        }
        clock.advance(Duration.ofSeconds(60));

        assertThat(limiter.tryAcquire("a", THREE).remaining()).isEqualTo(2);
    }

    @Test
    void tryAcquireWhenUnusedForLongThenLimitsDoNotAddUp() {
        limiter.tryAcquire("a", THREE);
        clock.advance(Duration.ofDays(1));

        assertThat(limiter.tryAcquire("a", THREE).remaining()).isEqualTo(2);
    }

    @Test
    void tryAcquireWhenTheClockWasAheadThenStartsAgain() {
        exhaust("a");
        limiter.tryAcquire("a", THREE);
        clock.advance(Duration.ofHours(-1));

        exhaust("a");
        assertThat(limiter.tryAcquire("a", THREE).allowed()).isFalse();
    }

    @Test
    void tryAcquireWhenBucketsDifferThenCountedSeparately() {
        exhaust("a");

        assertThat(limiter.tryAcquire("b", THREE).remaining()).isEqualTo(2);
    }

    @Test
    void tryAcquireWhenTheLimitChangesThenStartsAgain() {
        exhaust("a");

        assertThat(limiter.tryAcquire("a", new RateLimit(10, Duration.ofSeconds(60)))
                        .remaining())
                .isEqualTo(9);
    }

    @RepeatedTest(3)
    void tryAcquireWhenConcurrentThenNeverMoreThanTheLimit() {
        RateLimit limit = new RateLimit(50, Duration.ofSeconds(60));

        int allowed = InParallel.countSuccesses(
                16, 20, round -> limiter.tryAcquire("a", limit).allowed());

        assertThat(allowed).isEqualTo(50);
    }

    @Test
    void tryAcquireWhenTheNameIsOutOfBoundsThenFails() {
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire("", THREE));
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire("x".repeat(201), THREE));
        assertThat(limiter.tryAcquire("x".repeat(200), THREE).allowed()).isTrue();
    }

    protected final void exhaust(String bucket) {
        for (int i = 0; i < THREE.limit(); i++) {
            assertThat(limiter.tryAcquire(bucket, THREE).allowed()).isTrue();
        }
    }
}
