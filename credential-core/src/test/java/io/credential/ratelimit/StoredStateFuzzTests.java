package io.credential.ratelimit;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import com.code_intelligence.jazzer.junit.FuzzTest;

import io.credential.testing.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever is stored in place of a state, the limiter counts within the limit. */
class StoredStateFuzzTests {

    private static final RateLimit THREE = new RateLimit(3, Duration.ofSeconds(60));

    private final MutableClock clock = MutableClock.atNewYear();

    @FuzzTest
    void states(byte[] state) {
        RateLimiter limiter = RateLimiter.shared(new OneBucket(state), clock);

        RateLimitDecision decision = limiter.tryAcquire("a", THREE);

        assertThat(decision.remaining()).isBetween(0L, 2L);
        assertThat(decision.resetAfter()).isBetween(Duration.ZERO, Duration.ofSeconds(121));
    }

    private static final class OneBucket implements BucketStore {

        private byte[] state;

        OneBucket(byte[] state) {
            this.state = state;
        }

        @Override
        public Optional<byte[]> find(String bucket) {
            return Optional.of(state);
        }

        @Override
        public boolean replace(String bucket, byte @Nullable [] expected, byte[] replacement, Duration timeToLive) {
            state = replacement;
            return true;
        }
    }
}
