package io.credential.ratelimit;

import java.time.Duration;

/**
 * Tells whether a request is within its quota.
 *
 * @param allowed whether the request may proceed; a refused one does not count
 * @param quota the quota that applied
 * @param remaining how many more requests the current period permits
 * @param period the length of the current period
 * @param resetAfter when the next period starts and permits the full number of requests again
 * @since 0.1.0
 */
public record QuotaDecision(boolean allowed, Quota quota, long remaining, Duration period, Duration resetAfter) {}
