package io.credential.ratelimit;

import java.time.InstantSource;

import io.credential.ratelimit.internal.InMemoryRateLimiter;
import io.credential.ratelimit.internal.SharedRateLimiter;

/**
 * Counts requests against limits. Thread-safe.
 *
 * @since 0.1.0
 */
public interface RateLimiter {

    /** The greatest length of the name of a bucket. */
    int MAX_BUCKET_LENGTH = 200;

    /**
     * Counts a request, if its limit permits it. Requests with another limit are counted separately, so that a changed
     * limit starts with a new window.
     *
     * @param bucket what the request counts against; 1 to 200 characters
     * @throws RateLimiterUnavailableException if the store of the limits does not answer
     * @throws IllegalArgumentException if the name of the bucket is empty or too long
     */
    RateLimitDecision tryAcquire(String bucket, RateLimit limit);

    /**
     * Counts a request, if its quota permits it. Each calendar period is counted separately. Requests with another limit are
     * too, so that a changed limit starts again.
     *
     * @param bucket what the request counts against; 1 to 200 characters
     * @throws RateLimiterUnavailableException if the store of the limits does not answer
     * @throws IllegalArgumentException if the name of the bucket is empty or too long
     * @throws UnsupportedOperationException if this limiter does not count quotas, which is the default
     */
    default QuotaDecision tryAcquire(String bucket, Quota quota) {
        throw new UnsupportedOperationException(
                getClass().getName() + " does not count quotas; implement tryAcquire(String, Quota)");
    }

    /**
     * Returns a limiter that counts in memory, for one node. Counts at most 100,000 buckets; of more, those that are
     * used least start again, and those that have reached their limit last.
     *
     * @param clock decides when a window ends
     */
    static RateLimiter inMemory(InstantSource clock) {
        return new InMemoryRateLimiter(clock);
    }

    /**
     * Returns a limiter that counts in a store, together with every other node that uses the store. A node remembers a
     * refusal until the window ends, without asking the store again, and asks once for requests that arrive together.
     *
     * @param clock decides when a window ends; the clocks of the nodes must be synchronized
     */
    static RateLimiter shared(BucketStore store, InstantSource clock) {
        return new SharedRateLimiter(store, clock);
    }
}
