package io.credential.ratelimit.internal;

import java.time.Duration;
import java.time.ZoneOffset;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import io.credential.ratelimit.BucketStore;
import io.credential.ratelimit.Quota;
import io.credential.ratelimit.QuotaDecision;
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

    protected static final Quota DAILY = new Quota(3, Quota.Period.DAY, ZoneOffset.UTC);

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

    @Test
    void quotaWhenWithinItThenCountsDown() {
        assertThat(limiter.tryAcquire("a", DAILY))
                .isEqualTo(new QuotaDecision(true, DAILY, 2, Duration.ofDays(1), Duration.ofDays(1)));
        clock.advance(Duration.ofHours(20));
        assertThat(limiter.tryAcquire("a", DAILY))
                .isEqualTo(new QuotaDecision(true, DAILY, 1, Duration.ofDays(1), Duration.ofHours(4)));
    }

    @Test
    void quotaWhenReachedThenRefusedUntilTheDayEnds() {
        clock.advance(Duration.ofHours(23));
        exhaustDay("a");
        clock.advance(Duration.ofHours(1).minusMillis(1));
        for (int i = 0; i < 3; i++) {
            assertThat(limiter.tryAcquire("a", DAILY))
                    .isEqualTo(new QuotaDecision(false, DAILY, 0, Duration.ofDays(1), Duration.ofMillis(1)));
        }

        clock.advance(Duration.ofMillis(1));
        exhaustDay("a");
        assertThat(limiter.tryAcquire("a", DAILY).allowed()).isFalse();
    }

    @Test
    void quotaWhenMonthEndsThenStartsAgain() {
        Quota monthly = new Quota(1, Quota.Period.MONTH, ZoneOffset.UTC);
        assertThat(limiter.tryAcquire("a", monthly))
                .isEqualTo(new QuotaDecision(true, monthly, 0, Duration.ofDays(31), Duration.ofDays(31)));
        clock.advance(Duration.ofDays(31).minusSeconds(1));
        assertThat(limiter.tryAcquire("a", monthly).allowed()).isFalse();

        clock.advance(Duration.ofSeconds(1));
        assertThat(limiter.tryAcquire("a", monthly))
                .isEqualTo(new QuotaDecision(true, monthly, 0, Duration.ofDays(28), Duration.ofDays(28)));
        clock.advance(Duration.ofDays(27));
        assertThat(limiter.tryAcquire("a", monthly).allowed()).isFalse();
    }

    @Test
    void quotaWhenLargestThenCounts() {
        Quota largest = new Quota(Quota.MAX_LIMIT, Quota.Period.MONTH, ZoneOffset.UTC);

        limiter.tryAcquire("a", largest);

        assertThat(limiter.tryAcquire("a", largest).remaining()).isEqualTo(Quota.MAX_LIMIT - 2);
    }

    @Test
    void quotaThenCountedApartFromRateLimit() {
        exhaust("a");

        assertThat(limiter.tryAcquire("a", DAILY).remaining()).isEqualTo(2);
    }

    @Test
    void quotaWhenConcurrentThenNeverMore() {
        Quota quota = new Quota(50, Quota.Period.DAY, ZoneOffset.UTC);

        int allowed = InParallel.countSuccesses(
                8, 20, round -> limiter.tryAcquire("a", quota).allowed());

        assertThat(allowed).isEqualTo(50);
    }

    @Test
    void quotaWhenTheNameIsOutOfBoundsThenFails() {
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire("", DAILY));
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire("x".repeat(201), DAILY));
        assertThat(limiter.tryAcquire("x".repeat(200), DAILY).allowed()).isTrue();
    }

    private void exhaustDay(String bucket) {
        for (int i = 0; i < DAILY.limit(); i++) {
            assertThat(limiter.tryAcquire(bucket, DAILY).allowed()).isTrue();
        }
    }

    protected final void exhaust(String bucket) {
        for (int i = 0; i < THREE.limit(); i++) {
            assertThat(limiter.tryAcquire(bucket, THREE).allowed()).isTrue();
        }
    }
}
