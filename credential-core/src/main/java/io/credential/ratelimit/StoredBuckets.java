package io.credential.ratelimit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.distributed.proxy.ClientSideConfig;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.AbstractCompareAndSwapBasedProxyManager;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.AsyncCompareAndSwapOperation;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.CompareAndSwapOperation;
import io.github.bucket4j.distributed.remote.RemoteBucketState;

/** Lets Bucket4j compare and swap the states in a store. */
final class StoredBuckets extends AbstractCompareAndSwapBasedProxyManager<String> {

    /** A full bucket is kept a little longer, for a node whose clock is late. */
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

            @Override
            public Optional<byte[]> getStateData(Optional<Long> timeoutNanos) {
                return store.find(bucket);
            }

            @Override
            public boolean compareAndSwap(
                    byte[] originalData, byte[] newData, RemoteBucketState newState, Optional<Long> timeoutNanos) {
                Duration full = Duration.ofNanos(newState.calculateFullRefillingTime(time.currentTimeNanos()));
                return store.replace(bucket, originalData, newData, full.plus(MARGIN));
            }
        };
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
