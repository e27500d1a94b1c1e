package io.credential.webhook.delivery.internal.queue;

import java.time.Duration;

/**
 * How often a node shows that it is alive and looks for others.
 *
 * @param round the time between two renewals of the lease, and between two scans of those of the others; also the pause
 *     after a failure
 */
public record DispatcherTiming(Duration round) {

    public static final DispatcherTiming DEFAULT = new DispatcherTiming(Duration.ofSeconds(1));

    /** Returns how long a node that joins others waits for its share: until all of them have scanned the leases. */
    Duration settling() {
        return round.multipliedBy(2);
    }
}
