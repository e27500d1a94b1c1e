package io.credential.ratelimit.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.distributed.proxy.ClientSideConfig;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.AbstractCompareAndSwapBasedProxyManager;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.AsyncCompareAndSwapOperation;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.CompareAndSwapOperation;
import io.github.bucket4j.distributed.remote.RemoteBucketState;

import io.credential.ratelimit.BucketStore;

/** Lets Bucket4j compare and swap the states in a store. */
final class StoredBuckets extends AbstractCompareAndSwapBasedProxyManager<Buckets.Key> {

    /** A full bucket is kept a little longer, for a node whose clock is late. Clocks differ by less than this. */
    private static final Duration MARGIN = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(StoredBuckets.class);
    private static final Duration REPORT_INTERVAL = Duration.ofMinutes(1);

    private final BucketStore store;
    private final TimeMeter time;
    private @Nullable Long reported;

    /** @param timeout how long states are exchanged while other nodes are faster; the store bounds each operation */
    StoredBuckets(BucketStore store, TimeMeter time, Duration timeout) {
        super(ClientSideConfig.getDefault().withClientClock(time).withRequestTimeout(timeout));
        this.store = store;
        this.time = time;
    }

    @Override
    protected CompareAndSwapOperation beginCompareAndSwapOperation(Buckets.Key bucket) {
        return new CompareAndSwapOperation() {

            private byte @Nullable [] found;

            // Returns nothing for a bucket that a clock far ahead has written, so that it starts again.
            @Override
            public Optional<byte[]> getStateData(Optional<Long> timeoutNanos) {
                byte[] stored = store.find(bucket.text()).orElse(null);
                found = stored;
                if (stored == null) {
                    return Optional.empty();
                }
                StoredWindow window = StoredWindow.parse(stored, bucket.limit());
                if (window == null) {
                    reportUnreadable();
                    return Optional.empty();
                }
                return window.isCurrent(bucket.limit(), time.currentTimeNanos(), MARGIN)
                        ? Optional.of(window.serialized(bucket.limit(), Buckets.configuration(bucket.limit())))
                        : Optional.empty();
            }

            @Override
            public boolean compareAndSwap(
                    byte[] originalData, byte[] newData, RemoteBucketState newState, Optional<Long> timeoutNanos) {
                long now = time.currentTimeNanos();
                StoredWindow window = StoredWindow.of(newState, now);
                Duration full = Duration.ofNanos(window.end() - now);
                return store.replace(bucket.text(), found, window.bytes(), full.plus(MARGIN));
            }
        };
    }

    /** Logs once per interval, since anyone who can write to the store could cause a message for each request. */
    private synchronized void reportUnreadable() {
        long now = time.currentTimeNanos();
        if (reported == null || Math.abs(now - reported) >= REPORT_INTERVAL.toNanos()) {
            reported = now;
            LOG.warn("The stored state of a rate limit is unreadable, and counts as empty: something other than this"
                    + " application has changed it. Check who can write to the store of the rate limits");
        }
    }

    @Override
    protected AsyncCompareAndSwapOperation beginAsyncCompareAndSwapOperation(Buckets.Key bucket) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isAsyncModeSupported() {
        return false;
    }

    @Override
    protected CompletableFuture<Void> removeAsync(Buckets.Key bucket) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void removeProxy(Buckets.Key bucket) {
        throw new UnsupportedOperationException();
    }
}
