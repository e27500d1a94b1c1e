package io.credential.ratelimit;

import java.time.InstantSource;

import com.github.benmanes.caffeine.cache.LoadingCache;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;

/** Counts in memory. */
final class InMemoryRateLimiter implements RateLimiter {

    private final LoadingCache<Buckets.Key, Bucket> buckets;

    InMemoryRateLimiter(InstantSource clock) {
        TimeMeter time = Buckets.timeMeter(clock);
        this.buckets = Buckets.cache(
                clock,
                key -> Bucket.builder()
                        .addLimit(Buckets.bandwidth(key.limit()))
                        .withCustomTimePrecision(time)
                        .build());
    }

    @Override
    public RateLimitDecision tryAcquire(String bucket, RateLimit limit) {
        return Buckets.decision(
                limit, buckets.get(new Buckets.Key(bucket, limit)).tryConsumeAndReturnRemaining(1));
    }
}
