package io.credential.internal.cluster;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How a node takes part in the election of the leader.
 *
 * @param nodeId names the node in the database and in logs; two nodes with the same name are still distinguished
 * @param advertisedUrl the URL of this node when it is the leader; null to advertise none
 * @param duration how long a lease lasts without renewal, and how long a change may be idle; at least 100 ms
 */
public record LeaseSettings(String nodeId, @Nullable String advertisedUrl, Duration duration) {

    private static final Duration SHORTEST = Duration.ofMillis(100);

    public LeaseSettings {
        if (nodeId.isBlank()) {
            throw new IllegalArgumentException("The node id must not be blank");
        }
        if (duration.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException("The lease duration must be at least 100 ms, but is " + duration);
        }
    }

    /** Returns the pause between renewals, short enough that two may fail: 3 seconds for a lease of 10. */
    Duration renewInterval() {
        return duration.multipliedBy(3).dividedBy(10);
    }
}
