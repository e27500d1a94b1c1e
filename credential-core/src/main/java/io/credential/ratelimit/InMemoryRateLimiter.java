package io.credential.ratelimit;

import java.time.InstantSource;

import com.github.benmanes.caffeine.cache.LoadingCache;

import io.github.bucket4j.Bucket;

/** Counts in memory. */
final class InMemoryRateLimiter implements RateLimiter {

    private final LoadingCache<Buckets.Key, Bucket> buckets;

    InMemoryRateLimiter(InstantSource clock) {
        this.buckets = Buckets.inMemory(clock);
    }

    @Override
    public RateLimitDecision tryAcquire(String bucket, RateLimit limit) {
        Buckets.Key key = new Buckets.Key(bucket, limit);
        RateLimitDecision decision = tryAcquire(key);
        if (!decision.allowed() && Buckets.isSetBack(decision.resetAfter(), limit)) {
            buckets.invalidate(key);
            return tryAcquire(key);
        }
        return decision;
    }

    private RateLimitDecision tryAcquire(Buckets.Key key) {
        return Buckets.decision(key.limit(), buckets.get(key).tryConsumeAndReturnRemaining(1));
    }
}
