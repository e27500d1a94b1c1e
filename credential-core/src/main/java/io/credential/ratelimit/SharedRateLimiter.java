package io.credential.ratelimit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import org.jspecify.annotations.Nullable;

import com.github.benmanes.caffeine.cache.LoadingCache;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;

/** Counts in a store. */
final class SharedRateLimiter implements RateLimiter {

    private final InstantSource clock;
    private final LoadingCache<Buckets.Key, SharedBucket> buckets;

    SharedRateLimiter(BucketStore store, InstantSource clock) {
        this.clock = clock;
        StoredBuckets stored = new StoredBuckets(store, Buckets.timeMeter(clock));
        this.buckets = Buckets.cache(
                clock,
                key -> new SharedBucket(
                        key.limit(),
                        // One statement for all requests that arrive meanwhile: they neither take a connection each,
                        // nor wait
                        // for each other's rows.
                        stored.builder()
                                .withOptimization(Optimizations.batching())
                                .build(key.text(), () -> configuration(key.limit()))));
    }

    private static BucketConfiguration configuration(RateLimit limit) {
        return BucketConfiguration.builder().addLimit(Buckets.bandwidth(limit)).build();
    }

    @Override
    public RateLimitDecision tryAcquire(String bucket, RateLimit limit) {
        return buckets.get(new Buckets.Key(bucket, limit)).tryAcquire(clock);
    }

    /** The view of this node. */
    private static final class SharedBucket {

        private final RateLimit limit;
        private final BucketProxy proxy;
        private volatile @Nullable Instant emptyUntil;

        SharedBucket(RateLimit limit, BucketProxy proxy) {
            this.limit = limit;
            this.proxy = proxy;
        }

        RateLimitDecision tryAcquire(InstantSource clock) {
            Instant refilled = emptyUntil;
            if (refilled != null) {
                Duration wait = Duration.between(clock.instant(), refilled);
                if (wait.compareTo(Duration.ZERO) > 0 && !Buckets.isSetBack(wait, limit)) {
                    return new RateLimitDecision(false, limit, 0, wait);
                }
                emptyUntil = null;
            }
            RateLimitDecision decision = ask();
            if (!decision.allowed()) {
                emptyUntil = clock.instant().plus(decision.resetAfter());
            }
            return decision;
        }

        private RateLimitDecision ask() {
            try {
                return Buckets.decision(limit, proxy.tryConsumeAndReturnRemaining(1));
            } catch (RuntimeException e) {
                throw new RateLimiterUnavailableException(e);
            }
        }
    }
}
