package io.credential.ratelimit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.distributed.proxy.ClientSideConfig;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.AbstractCompareAndSwapBasedProxyManager;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.AsyncCompareAndSwapOperation;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.CompareAndSwapOperation;
import io.github.bucket4j.distributed.remote.RemoteBucketState;
import io.github.bucket4j.distributed.serialization.InternalSerializationHelper;

/** Lets Bucket4j compare and swap the states in a store. */
final class StoredBuckets extends AbstractCompareAndSwapBasedProxyManager<String> {

    /** A full bucket is kept a little longer, for a node whose clock is late. Clocks differ by less than this. */
    private static final Duration MARGIN = Duration.ofMinutes(1);

    private final BucketStore store;
    private final TimeMeter time;

    /** @param timeout how long states are exchanged while other nodes are faster; the store bounds each operation */
    StoredBuckets(BucketStore store, TimeMeter time, Duration timeout) {
        super(ClientSideConfig.getDefault().withClientClock(time).withRequestTimeout(timeout));
        this.store = store;
        this.time = time;
    }

    @Override
    protected CompareAndSwapOperation beginCompareAndSwapOperation(String bucket) {
        return new CompareAndSwapOperation() {

            private byte @Nullable [] found;

            // Returns nothing for a bucket that a clock far ahead has written, so that it starts again.
            @Override
            public Optional<byte[]> getStateData(Optional<Long> timeoutNanos) {
                Optional<byte[]> state = store.find(bucket);
                found = state.orElse(null);
                return state.filter(data -> !isFromAhead(InternalSerializationHelper.deserializeState(data)));
            }

            @Override
            public boolean compareAndSwap(
                    byte[] originalData, byte[] newData, RemoteBucketState newState, Optional<Long> timeoutNanos) {
                Duration full = Duration.ofNanos(newState.calculateFullRefillingTime(time.currentTimeNanos()));
                return store.replace(bucket, found, newData, full.plus(MARGIN));
            }
        };
    }

    private boolean isFromAhead(RemoteBucketState state) {
        Duration full = Duration.ofNanos(state.calculateFullRefillingTime(time.currentTimeNanos()));
        Duration window =
                Duration.ofNanos(state.getConfiguration().getBandwidths()[0].getRefillPeriodNanos());
        return Buckets.isSetBack(full, window, MARGIN);
    }

    @Override
    protected AsyncCompareAndSwapOperation beginAsyncCompareAndSwapOperation(String bucket) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isAsyncModeSupported() {
        return false;
    }

    @Override
    protected CompletableFuture<Void> removeAsync(String bucket) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void removeProxy(String bucket) {
        throw new UnsupportedOperationException();
    }
}
