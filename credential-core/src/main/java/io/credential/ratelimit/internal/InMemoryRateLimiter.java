package io.credential.ratelimit.internal;

import java.time.Duration;
import java.time.InstantSource;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.LoadingCache;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;

import io.credential.ratelimit.RateLimit;
import io.credential.ratelimit.RateLimitDecision;
import io.credential.ratelimit.RateLimiter;

/**
 * Counts in memory. Buckets that have reached their limit are kept apart, so that many others do not displace them and
 * thereby permit their limit again.
 */
public final class InMemoryRateLimiter implements RateLimiter {

    private final LoadingCache<Buckets.Key, Bucket> buckets;
    private final Cache<Buckets.Key, Bucket> empty;

    public InMemoryRateLimiter(InstantSource clock) {
        this(clock, Buckets.CAPACITY);
    }

    /** @param capacity the maximum number of buckets below their limit, and also of those that have reached it */
    InMemoryRateLimiter(InstantSource clock, int capacity) {
        TimeMeter time = Buckets.timeMeter(clock);
        this.buckets = Buckets.builder(clock, capacity)
                .build(key -> Bucket.builder()
                        .addLimit(Buckets.bandwidth(key.limit()))
                        .withCustomTimePrecision(time)
                        .build());
        this.empty = Buckets.builder(clock, capacity).build();
    }

    @Override
    public RateLimitDecision tryAcquire(String bucket, RateLimit limit) {
        Buckets.Key key = new Buckets.Key(bucket, limit);
        RateLimitDecision decision = tryAcquire(key);
        if (!decision.allowed() && Buckets.isSetBack(decision.resetAfter(), limit)) {
            remove(key);
            return tryAcquire(key);
        }
        return decision;
    }

    private RateLimitDecision tryAcquire(Buckets.Key key) {
        Bucket present = empty.getIfPresent(key);
        Bucket bucket = present != null ? present : buckets.get(key);
        RateLimitDecision decision = Buckets.decision(key.limit(), bucket.tryConsumeAndReturnRemaining(1));
        if (present == null && decision.remaining() == 0) {
            empty.put(key, bucket);
        }
        return decision;
    }

    /** Returns how long a bucket refuses requests; zero if it accepts the next. Counts nothing. */
    Duration refusesFor(String bucket, RateLimit limit) {
        Buckets.Key key = new Buckets.Key(bucket, limit);
        Bucket refusing = empty.getIfPresent(key);
        Bucket present = refusing != null ? refusing : buckets.getIfPresent(key);
        if (present == null) {
            return Duration.ZERO;
        }
        Duration wait = Duration.ofNanos(present.estimateAbilityToConsume(1).getNanosToWaitForRefill());
        if (Buckets.isSetBack(wait, limit)) {
            remove(key);
            return Duration.ZERO;
        }
        return wait;
    }

    private void remove(Buckets.Key key) {
        empty.invalidate(key);
        buckets.invalidate(key);
    }
}
