package io.credential.ratelimit.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.LoadingCache;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;

import io.credential.ratelimit.Quota;
import io.credential.ratelimit.QuotaDecision;
import io.credential.ratelimit.RateLimit;
import io.credential.ratelimit.RateLimitDecision;
import io.credential.ratelimit.RateLimiter;

/**
 * Counts in memory. Buckets that have reached their limit are kept apart, so that many others do not displace them and
 * thereby permit their limit again.
 */
public final class InMemoryRateLimiter implements RateLimiter {

    private final InstantSource clock;
    private final LoadingCache<Buckets.Key, Bucket> buckets;
    private final Cache<Buckets.Key, Bucket> empty;

    public InMemoryRateLimiter(InstantSource clock) {
        this(clock, Buckets.CAPACITY);
    }

    /** @param capacity the maximum number of buckets below their limit, and also of those that have reached it */
    InMemoryRateLimiter(InstantSource clock, int capacity) {
        this.clock = clock;
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
        return tryAcquire(Buckets.Key.of(bucket, limit)).decision(limit);
    }

    @Override
    public QuotaDecision tryAcquire(String bucket, Quota quota) {
        Instant now = clock.instant();
        QuotaPeriod period = QuotaPeriod.at(now, quota);
        return period.decision(tryAcquire(period.key(bucket)), now);
    }

    private Buckets.Outcome tryAcquire(Buckets.Key key) {
        Buckets.Outcome outcome = take(key);
        if (!outcome.allowed() && Buckets.isSetBack(outcome.resetAfter(), key.limit())) {
            remove(key);
            return take(key);
        }
        return outcome;
    }

    private Buckets.Outcome take(Buckets.Key key) {
        Bucket present = empty.getIfPresent(key);
        Bucket bucket = present != null ? present : buckets.get(key);
        Buckets.Outcome outcome = Buckets.outcome(bucket.tryConsumeAndReturnRemaining(1));
        if (present == null && outcome.remaining() == 0) {
            empty.put(key, bucket);
        }
        return outcome;
    }

    /** Returns how long a bucket refuses requests; zero if it accepts the next. Counts nothing. */
    Duration refusesFor(String bucket, RateLimit limit) {
        Buckets.Key key = Buckets.Key.of(bucket, limit);
        Bucket refusing = empty.getIfPresent(key);
        Bucket present = refusing != null ? refusing : buckets.getIfPresent(key);
        if (present == null) {
            return Duration.ZERO;
        }
        Duration wait = Duration.ofNanos(present.estimateAbilityToConsume(1).getNanosToWaitForRefill());
        if (Buckets.isSetBack(wait, key.limit())) {
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
