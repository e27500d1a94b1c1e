package io.credential.ratelimit;

import java.time.InstantSource;

import org.jspecify.annotations.Nullable;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.LoadingCache;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;

/**
 * A bounded set of buckets in memory. Those that have reached their limit are kept apart, so that many others do not
 * displace them and thereby permit their limit again. Thread-safe.
 */
final class MemoryBuckets {

    private final LoadingCache<Buckets.Key, Bucket> buckets;
    private final Cache<Buckets.Key, Bucket> empty;

    /** @param capacity the maximum number of buckets below their limit, and also of those that have reached it */
    MemoryBuckets(InstantSource clock, int capacity) {
        TimeMeter time = Buckets.timeMeter(clock);
        this.buckets = Buckets.builder(clock, capacity)
                .build(key -> Bucket.builder()
                        .addLimit(Buckets.bandwidth(key.limit()))
                        .withCustomTimePrecision(time)
                        .build());
        this.empty = Buckets.builder(clock, capacity).build();
    }

    RateLimitDecision tryAcquire(Buckets.Key key) {
        Bucket present = empty.getIfPresent(key);
        Bucket bucket = present != null ? present : buckets.get(key);
        RateLimitDecision decision = Buckets.decision(key.limit(), bucket.tryConsumeAndReturnRemaining(1));
        if (present == null && decision.remaining() == 0) {
            empty.put(key, bucket);
        }
        return decision;
    }

    @Nullable Bucket getIfPresent(Buckets.Key key) {
        Bucket bucket = empty.getIfPresent(key);
        return bucket != null ? bucket : buckets.getIfPresent(key);
    }

    void remove(Buckets.Key key) {
        empty.invalidate(key);
        buckets.invalidate(key);
    }
}
