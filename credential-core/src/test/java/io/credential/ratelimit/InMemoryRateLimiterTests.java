package io.credential.ratelimit;

class InMemoryRateLimiterTests extends RateLimiterContract {

    @Override
    protected RateLimiter newLimiter() {
        return RateLimiter.inMemory(clock);
    }
}
