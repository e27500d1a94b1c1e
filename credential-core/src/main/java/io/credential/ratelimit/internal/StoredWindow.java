package io.credential.ratelimit.internal;

import java.nio.ByteBuffer;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.BucketState64BitsInteger;
import io.github.bucket4j.distributed.remote.RemoteBucketState;
import io.github.bucket4j.distributed.remote.RemoteStat;
import io.github.bucket4j.distributed.serialization.InternalSerializationHelper;
import io.github.bucket4j.distributed.versioning.Versions;

import io.credential.ratelimit.RateLimit;

/**
 * What is stored of a bucket: a byte for the format, the remaining requests, and the end of the window. Bucket4j's own
 * format contains lengths, which it trusts; this one has a fixed length.
 *
 * @param remaining how many requests the window still permits
 * @param end of the window, in nanoseconds since 1970
 */
record StoredWindow(int remaining, long end) {

    static final int LENGTH = 13;

    private static final byte FORMAT = 1;

    /** A window that ended so long ago is over for every limit. */
    private static final long MAX_AGE = 2 * RateLimit.MAX_WINDOW.toNanos();

    /** Returns what is left of a bucket, whose window is the latest that has begun. */
    static StoredWindow of(RemoteBucketState state, long now) {
        return new StoredWindow((int) state.getAvailableTokens(), now + state.calculateFullRefillingTime(now));
    }

    /** Returns null for bytes that no limiter with this limit has written. */
    static @Nullable StoredWindow parse(byte[] stored, Buckets.Bounds limit) {
        if (stored.length != LENGTH || stored[0] != FORMAT) {
            return null;
        }
        ByteBuffer fields = ByteBuffer.wrap(stored, 1, LENGTH - 1);
        StoredWindow window = new StoredWindow(fields.getInt(), fields.getLong());
        return window.remaining < 0 || window.remaining > limit.limit() ? null : window;
    }

    byte[] bytes() {
        return ByteBuffer.allocate(LENGTH)
                .put(FORMAT)
                .putInt(remaining)
                .putLong(end)
                .array();
    }

    /**
     * Whether it still counts: it neither ended long ago, nor ends later than the clocks of the nodes can explain.
     *
     * @param margin by how much clocks may differ
     */
    boolean isCurrent(Buckets.Bounds limit, long now, Duration margin) {
        return end >= now - MAX_AGE && end <= now + limit.window().plus(margin).toNanos();
    }

    /** Returns the bucket as Bucket4j serializes it. */
    byte[] serialized(Buckets.Bounds limit, BucketConfiguration configuration) {
        BucketState64BitsInteger state =
                new BucketState64BitsInteger(configuration, end - limit.window().toNanos());
        state.consume(limit.limit() - remaining);
        return InternalSerializationHelper.serializeState(
                new RemoteBucketState(state, new RemoteStat(0), null), Versions.getLatest());
    }
}
