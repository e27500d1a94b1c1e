package io.credential.webhook.delivery;

import java.time.Duration;

/**
 * The validated options of a dispatcher.
 *
 * @param maxInFlightBytes half for payloads that are read with their claims, half for those read when the attempt starts
 * @param payloadRetention how long payloads are kept; zero for as long as their deliveries
 * @param pauseAfter how long all attempts to an endpoint must fail before it is paused; zero for never
 * @param secretOverlap how long the old secret of an endpoint signs too after a rotation; zero to stop at once
 * @param settleMargin the time between the end of an attempt and the end of its claim that is reserved to store the outcome
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
        Duration payloadRetention,
        Duration pauseAfter,
        Duration secretOverlap,
        Duration settleMargin) {

    public static final int MAX_ATTEMPTS = 1000;
    public static final int MAX_BATCH_SIZE = 1000;
    public static final int MAX_IN_FLIGHT = 10_000;
    public static final Duration MAX_WAIT = Duration.ofHours(1);

    /** With less, a busy node might never have time left to send a request. */
    public static final Duration MIN_REQUEST_TIMEOUT = Duration.ofMillis(100);

    public static final Duration MAX_CLAIM = Duration.ofDays(7);
    public static final Duration MAX_RETENTION = Duration.ofDays(36_500);
    public static final Duration MIN_PAUSE_AFTER = Duration.ofMinutes(1);
    public static final Duration MAX_PAUSE_AFTER = Duration.ofDays(365);
    public static final Duration MAX_SECRET_OVERLAP = Duration.ofDays(7);

    /** How many attempts may wait for each that runs, so that a fast endpoint does not wait for the next claim. */
    public static final int WAITING_PER_RUNNING = 4;

    /** @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if an option is out of range */
    public DispatcherOptions {
        requireWithin("maxAttempts", maxAttempts, MAX_ATTEMPTS);
        requireWithin("batchSize", batchSize, MAX_BATCH_SIZE);
        requireWithin("requestTimeout", requestTimeout, MIN_REQUEST_TIMEOUT, MAX_WAIT);
        requireWithin("dispatchWait", dispatchWait, MAX_WAIT);
        requireWithin("claimReclaimAfter", claimReclaimAfter, MAX_CLAIM);
        requireWithin("retention", retention, MAX_RETENTION);
        DispatcherRules.requireThat(
                isPayloadRetention(payloadRetention),
                "payloadRetention must be zero to " + MAX_RETENTION + ", not " + payloadRetention);
        DispatcherRules.requireThat(
                isPauseAfter(pauseAfter),
                "pauseAfter must be zero, or " + MIN_PAUSE_AFTER + " to " + MAX_PAUSE_AFTER + ", not " + pauseAfter);
        requireSecretOverlap(secretOverlap);
        requireWithin("maxInFlight", maxInFlight, MAX_IN_FLIGHT);
        DispatcherRules.requireThat(
                maxInFlightPerEndpoint >= 1 && maxInFlightPerEndpoint <= maxInFlight,
                "maxInFlightPerEndpoint must be 1 to maxInFlight (" + maxInFlight + "), not " + maxInFlightPerEndpoint);
        DispatcherRules.requireThat(
                maxInFlightBytes >= 1, "maxInFlightBytes must be at least 1 byte, not " + maxInFlightBytes);
        DispatcherRules.requireThat(
                maxPayloadBytes >= 1, "maxPayloadSize must be at least 1 byte, not " + maxPayloadBytes);
        DispatcherRules.requireThat(
                requestTimeout.multipliedBy(2).compareTo(claimReclaimAfter) <= 0,
                "claimReclaimAfter must be at least twice requestTimeout (" + requestTimeout + "), not "
                        + claimReclaimAfter
                        + ", or other nodes would take over deliveries that are still being attempted");
    }

    /** Returns whether this is a valid time of failures after which an endpoint is paused. */
    public static boolean isPauseAfter(Duration duration) {
        return duration.isZero()
                || (duration.compareTo(MIN_PAUSE_AFTER) >= 0 && duration.compareTo(MAX_PAUSE_AFTER) <= 0);
    }

    /** Returns whether this is a valid overlap of the rotation of a secret. */
    public static boolean isSecretOverlap(Duration duration) {
        return !duration.isNegative() && duration.compareTo(MAX_SECRET_OVERLAP) <= 0;
    }

    static Duration requireSecretOverlap(Duration overlap) {
        DispatcherRules.requireThat(
                isSecretOverlap(overlap),
                "The overlap of secrets must be 0 to " + MAX_SECRET_OVERLAP + ", not " + overlap);
        return overlap;
    }

    /** Returns whether this is a valid time after which payloads are erased. */
    public static boolean isPayloadRetention(Duration duration) {
        return !duration.isNegative() && duration.compareTo(MAX_RETENTION) <= 0;
    }

    /** Returns how many attempts may wait for their turn. */
    public int maxWaiting() {
        return Math.max(batchSize, maxInFlight * WAITING_PER_RUNNING);
    }

    /**
     * Returns the size of the largest payload that is read with its claim, and kept until its outcome is stored. At most
     * three times as many are kept as can run and wait: two rounds, and the claim that filled the second. Each that runs
     * may have an envelope of the same size.
     */
    public int inlinePayloadBytes() {
        long most = 3L * (maxInFlight + maxWaiting()) + maxInFlight;
        return (int) Math.min(Integer.MAX_VALUE, maxInFlightBytes / 2 / most);
    }

    /** Returns the total size of the payloads that are read when their attempts start, and of their envelopes. */
    public long loadedPayloadBytes() {
        return maxInFlightBytes - maxInFlightBytes / 2;
    }

    private static void requireWithin(String option, int value, int most) {
        DispatcherRules.requireThat(value >= 1 && value <= most, option + " must be 1 to " + most + ", not " + value);
    }

    private static void requireWithin(String option, Duration value, Duration longest) {
        requireWithin(option, value, Duration.ofMillis(1), longest);
    }

    private static void requireWithin(String option, Duration value, Duration shortest, Duration longest) {
        DispatcherRules.requireThat(
                value.compareTo(shortest) >= 0 && value.compareTo(longest) <= 0,
                option + " must be " + shortest.toMillis() + " ms to " + longest + ", not " + value);
    }
}
