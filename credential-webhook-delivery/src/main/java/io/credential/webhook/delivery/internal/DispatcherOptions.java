package io.credential.webhook.delivery.internal;

import java.time.Duration;

import io.credential.webhook.delivery.RetryBackoff;
import io.credential.webhook.delivery.WebhookDispatcherException;

/**
 * The validated options of a dispatcher.
 *
 * @param maxInFlightPerEndpoint at most {@code maxInFlight}: a larger value is reduced
 * @param maxInFlightBytes half for payloads that are read with their claims, half for those read when the attempt starts
 * @param payloadRetention how long payloads are kept; zero for as long as their deliveries
 * @param pauseAfter how long all attempts to an endpoint must fail before it is paused; zero for never
 * @param secretOverlap how long the old secret of an endpoint signs too after a rotation; zero to stop at once
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
        RequestHeaders requestHeaders) {

    private static final Duration LONGEST_SETTLE_MARGIN = Duration.ofSeconds(10);

    /** How many attempts may wait for each that runs, so that a fast endpoint does not wait for the next claim. */
    public static final int WAITING_PER_RUNNING = 4;

    /** @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if an option is out of range */
    public DispatcherOptions {
        maxInFlightPerEndpoint = Math.min(maxInFlightPerEndpoint, maxInFlight);
        DispatcherOption.MAX_ATTEMPTS.require(maxAttempts);
        DispatcherOption.CLAIM_RECLAIM_AFTER.require(claimReclaimAfter);
        DispatcherOption.BATCH_SIZE.require(batchSize);
        DispatcherOption.REQUEST_TIMEOUT.require(requestTimeout);
        DispatcherOption.DISPATCH_WAIT.require(dispatchWait);
        DispatcherOption.MAX_IN_FLIGHT.require(maxInFlight);
        DispatcherOption.MAX_IN_FLIGHT_PER_ENDPOINT.require(maxInFlightPerEndpoint);
        DispatcherOption.MAX_IN_FLIGHT_BYTES.require(maxInFlightBytes);
        DispatcherOption.MAX_PAYLOAD_SIZE.require(maxPayloadBytes);
        DispatcherOption.RETENTION.require(retention);
        DispatcherOption.PAYLOAD_RETENTION.require(payloadRetention);
        DispatcherOption.PAUSE_AFTER.require(pauseAfter);
        DispatcherOption.SECRET_OVERLAP.require(secretOverlap);
        DispatcherRules.requireThat(
                requestTimeout.multipliedBy(2).compareTo(claimReclaimAfter) <= 0,
                "claimReclaimAfter must be at least twice requestTimeout (" + requestTimeout + "), not "
                        + claimReclaimAfter
                        + ", or other nodes would take over deliveries that are still being attempted");
    }

    /** Returns the time between the end of an attempt and the end of its claim that is reserved to store the outcome. */
    public Duration settleMargin() {
        Duration quarter = claimReclaimAfter.dividedBy(4);
        return quarter.compareTo(LONGEST_SETTLE_MARGIN) < 0 ? quarter : LONGEST_SETTLE_MARGIN;
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
}
