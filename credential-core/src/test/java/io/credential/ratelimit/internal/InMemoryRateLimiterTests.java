package io.credential.ratelimit.internal;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.credential.ratelimit.RateLimit;
import io.credential.ratelimit.RateLimiter;

import static org.assertj.core.api.Assertions.assertThat;

class InMemoryRateLimiterTests extends RateLimiterContract {

    @Override
    protected RateLimiter newLimiter() {
        return RateLimiter.inMemory(clock);
    }

    @Test
    void tryAcquireWhenThereAreTooManyThenRefusalsRemain() {
        RateLimiter small = new InMemoryRateLimiter(clock, 100);
        for (int i = 0; i < 3; i++) {
            small.tryAcquire("empty", THREE);
        }
        for (int i = 0; i < 20_000; i++) {
            small.tryAcquire("other" + i / 20, new RateLimit(100, THREE.window()));
        }

        assertThat(small.tryAcquire("empty", THREE).allowed()).isFalse();
    }

    @Test
    void tryAcquireWhenTheClockIsReadLateThenRefused() {
        exhaust("a");
        clock.advance(Duration.ofSeconds(60));
        exhaust("a");
        clock.advance(Duration.ofSeconds(-1));

        assertThat(limiter.tryAcquire("a", THREE).allowed()).isFalse();
        clock.advance(Duration.ofNanos(-1));
        assertThat(limiter.tryAcquire("a", THREE).allowed()).isTrue();
    }
}
