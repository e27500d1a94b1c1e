package io.credential.ratelimit;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class InMemoryRateLimiterTests extends RateLimiterContract {

    @Override
    protected RateLimiter newLimiter() {
        return RateLimiter.inMemory(clock);
    }

    @Test
    void tryAcquireWhenTheClockWasSetBackThenStartsAgain() {
        exhaust("a");
        clock.advance(Duration.ofHours(-1));

        exhaust("a");
        assertThat(limiter.tryAcquire("a", THREE).allowed()).isFalse();
    }
}
