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
     * Returns the state of a bucket, or what something else has stored in its place. What is longer than 64 bytes is
     * not read in full: it counts as unreadable.
     *
     * @param bucket at most 255 characters
     */
    Optional<byte[]> find(String bucket);

    /**
     * Replaces the state of a bucket if it is still the expected one, or was not read in full, as one atomic operation.
     *
     * @param expected the state to replace, as {@link #find} has returned it; null if the bucket must not exist
     * @param timeToLive how long the state is needed; it may be removed later
     * @return whether it was replaced
     */
    boolean replace(String bucket, byte @Nullable [] expected, byte[] state, Duration timeToLive);
}
