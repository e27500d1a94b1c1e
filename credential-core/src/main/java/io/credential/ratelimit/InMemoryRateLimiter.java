package io.credential.ratelimit;

import java.time.InstantSource;

/** Counts in memory. */
final class InMemoryRateLimiter implements RateLimiter {

    private final MemoryBuckets buckets;

    InMemoryRateLimiter(InstantSource clock) {
        this(clock, Buckets.CAPACITY);
    }

    InMemoryRateLimiter(InstantSource clock, int capacity) {
        this.buckets = new MemoryBuckets(clock, capacity);
    }

    @Override
    public RateLimitDecision tryAcquire(String bucket, RateLimit limit) {
        Buckets.Key key = new Buckets.Key(bucket, limit);
        RateLimitDecision decision = buckets.tryAcquire(key);
        if (!decision.allowed() && Buckets.isSetBack(decision.resetAfter(), limit)) {
            buckets.remove(key);
            return buckets.tryAcquire(key);
        }
        return decision;
    }
}
