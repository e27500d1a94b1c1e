package io.credential.ratelimit;

import java.time.Duration;

/**
 * Tells whether a request is within its limit.
 *
 * @param allowed whether the request may proceed; a refused one does not count
 * @param limit the limit that applied
 * @param remaining how many more requests the current window permits
 * @param resetAfter when the next window starts and permits the full number of requests again
 * @since 0.1.0
 */
public record RateLimitDecision(boolean allowed, RateLimit limit, long remaining, Duration resetAfter) {}
