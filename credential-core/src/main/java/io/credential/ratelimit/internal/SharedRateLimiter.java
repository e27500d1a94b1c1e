package io.credential.ratelimit.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import org.jspecify.annotations.Nullable;

import com.github.benmanes.caffeine.cache.LoadingCache;

import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.proxy.AsyncCommandExecutor;
import io.github.bucket4j.distributed.proxy.CommandExecutor;
import io.github.bucket4j.distributed.proxy.optimization.Optimization;
import io.github.bucket4j.distributed.proxy.optimization.OptimizationListener;

import io.credential.ratelimit.BucketStore;
import io.credential.ratelimit.Quota;
import io.credential.ratelimit.QuotaDecision;
import io.credential.ratelimit.RateLimit;
import io.credential.ratelimit.RateLimitDecision;
import io.credential.ratelimit.RateLimiter;
import io.credential.ratelimit.RateLimiterUnavailableException;

/** Counts in a store. */
public final class SharedRateLimiter implements RateLimiter {

    private static final Duration EXCHANGE_TIMEOUT = Duration.ofSeconds(5);

    /** Longer than PostgreSQL has to answer a statement. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(12);

    private final InstantSource clock;
    private final LoadingCache<Buckets.Key, SharedBucket> buckets;

    public SharedRateLimiter(BucketStore store, InstantSource clock) {
        this(store, clock, EXCHANGE_TIMEOUT, MAX_WAIT);
    }

    /**
     * @param exchangeTimeout how long states are exchanged while other nodes are faster
     * @param maxWait how long a request waits for the answer to another one
     */
    SharedRateLimiter(BucketStore store, InstantSource clock, Duration exchangeTimeout, Duration maxWait) {
        this.clock = clock;
        StoredBuckets stored = new StoredBuckets(store, Buckets.timeMeter(clock), exchangeTimeout);
        // One access serves all requests that arrive meanwhile, so they neither hold a connection each nor contend for
        // the row.
        Optimization batching = new Batching(clock, maxWait);
        this.buckets = Buckets.<SharedBucket>builder(clock, Buckets.CAPACITY)
                .build(key -> new SharedBucket(
                        key.limit(),
                        stored.builder()
                                .withOptimization(batching)
                                .build(key, () -> Buckets.configuration(key.limit()))));
    }

    @Override
    public RateLimitDecision tryAcquire(String bucket, RateLimit limit) {
        return buckets.get(Buckets.Key.of(bucket, limit)).tryAcquire(clock).decision(limit);
    }

    @Override
    public QuotaDecision tryAcquire(String bucket, Quota quota) {
        Instant now = clock.instant();
        QuotaPeriod period = QuotaPeriod.at(now, quota);
        return period.decision(buckets.get(period.key(bucket)).tryAcquire(clock), now);
    }

    /** The view of this node. */
    private static final class SharedBucket {

        private final Buckets.Bounds limit;
        private final BucketProxy proxy;
        private volatile @Nullable Instant emptyUntil;

        SharedBucket(Buckets.Bounds limit, BucketProxy proxy) {
            this.limit = limit;
            this.proxy = proxy;
        }

        Buckets.Outcome tryAcquire(InstantSource clock) {
            Instant asked = clock.instant();
            Instant refilled = emptyUntil;
            if (refilled != null) {
                Duration wait = Duration.between(asked, refilled);
                if (wait.compareTo(Duration.ZERO) > 0 && !Buckets.isSetBack(wait, limit)) {
                    return new Buckets.Outcome(false, 0, wait);
                }
                emptyUntil = null;
            }
            Buckets.Outcome outcome = ask();
            if (!outcome.allowed()) {
                Duration wait = outcome.resetAfter();
                emptyUntil = asked.plus(wait.compareTo(limit.window()) < 0 ? wait : limit.window());
            }
            return outcome;
        }

        private Buckets.Outcome ask() {
            try {
                return Buckets.outcome(proxy.tryConsumeAndReturnRemaining(1));
            } catch (RuntimeException e) {
                throw new RateLimiterUnavailableException(e);
            }
        }
    }

    private record Batching(InstantSource clock, Duration maxWait) implements Optimization {

        @Override
        public Optimization withListener(OptimizationListener listener) {
            return this;
        }

        @Override
        public CommandExecutor apply(CommandExecutor store) {
            return new BatchedCommands(store, clock, maxWait);
        }

        @Override
        public AsyncCommandExecutor apply(AsyncCommandExecutor store) {
            throw new UnsupportedOperationException();
        }
    }
}
