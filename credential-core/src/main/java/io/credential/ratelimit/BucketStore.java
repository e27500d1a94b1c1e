package io.credential.ratelimit;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Stores the state of the buckets that several nodes share. Implementations are thread-safe, wait for a limited time,
 * and throw when the store does not answer.
 *
 * @since 0.1.0
 */
public interface BucketStore {

    /**
     * Returns the state of a bucket.
     *
     * @param bucket at most 255 characters
     */
    Optional<byte[]> find(String bucket);

    /**
     * Replaces the state of a bucket if it is still the expected one, as one atomic operation.
     *
     * @param expected the state to replace; null if the bucket must not exist
     * @param timeToLive how long the state is needed; it may be removed later
     * @return whether it was replaced
     */
    boolean replace(String bucket, byte @Nullable [] expected, byte[] state, Duration timeToLive);
}
