package io.credential.webhook.delivery;

import java.time.Duration;

/**
 * The numbers of a dispatcher, checked.
 *
 * @param maxInFlightBytes half of it for payloads that come with their claims, half for those read when the attempt starts
 * @param settleMargin the time kept free between the end of an attempt and the end of its claim, to store the outcome
 * @since 0.1.0
 */
public record DispatcherOptions(
        int maxAttempts,
        RetryBackoff backoff,
        Duration claimReclaimAfter,
        int batchSize,
        Duration requestTimeout,
        Duration dispatchWait,
        int maxInFlight,
        int maxInFlightPerEndpoint,
        long maxInFlightBytes,
        int maxPayloadBytes,
        boolean requireAudience,
        Duration retention,
        Duration settleMargin) {

    /** Several times as many may wait as run, so that a fast endpoint does not wait for the next claim. */
    public static final int WAITING_PER_RUNNING = 4;

    /**
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} when a number is out of range
     */
    public DispatcherOptions {
        require(maxAttempts >= 1 && maxAttempts <= 1000, "maxAttempts must be 1 to 1000, not " + maxAttempts);
        require(batchSize >= 1 && batchSize <= 1000, "batchSize must be 1 to 1000, not " + batchSize);
        requireWithin("requestTimeout", requestTimeout, Duration.ofHours(1));
        requireWithin("dispatchWait", dispatchWait, Duration.ofHours(1));
        requireWithin("claimReclaimAfter", claimReclaimAfter, Duration.ofDays(7));
        requireWithin("retention", retention, Duration.ofDays(36_500));
        require(maxInFlight >= 1 && maxInFlight <= 10_000, "maxInFlight must be 1 to 10000, not " + maxInFlight);
        require(
                maxInFlightPerEndpoint >= 1 && maxInFlightPerEndpoint <= maxInFlight,
                "maxInFlightPerEndpoint must be 1 to maxInFlight (" + maxInFlight + "), not " + maxInFlightPerEndpoint);
        require(maxInFlightBytes >= 1, "maxInFlightBytes must be at least 1 byte, not " + maxInFlightBytes);
        require(maxPayloadBytes >= 1, "maxPayloadSize must be at least 1 byte, not " + maxPayloadBytes);
        require(
                requestTimeout.multipliedBy(2).compareTo(claimReclaimAfter) <= 0,
                "claimReclaimAfter must be at least twice requestTimeout (" + requestTimeout + "), not "
                        + claimReclaimAfter
                        + ": another node would take over what is still being attempted");
    }

    /** How many attempts may wait for their turn. */
    public int maxWaiting() {
        return Math.max(batchSize, maxInFlight * WAITING_PER_RUNNING);
    }

    /**
     * The longest payload that is read with its claim, and held until its outcome is stored. There are at most two
     * rounds of what can run and wait, and the claim that filled the second.
     */
    public int inlinePayloadBytes() {
        long most = 3L * (maxInFlight + maxWaiting());
        return (int) Math.min(Integer.MAX_VALUE, maxInFlightBytes / 2 / most);
    }

    /** For the payloads that are read when their attempt starts, altogether. */
    public long loadedPayloadBytes() {
        return maxInFlightBytes - maxInFlightBytes / 2;
    }

    private static void requireWithin(String option, Duration value, Duration longest) {
        require(
                value.compareTo(Duration.ofMillis(1)) >= 0 && value.compareTo(longest) <= 0,
                option + " must be 1 ms to " + longest + ", not " + value);
    }

    private static void require(boolean fits, String message) {
        if (!fits) {
            throw new WebhookDispatcherException(WebhookDispatcherErrorCode.BAD_OPTS, message);
        }
    }
}
