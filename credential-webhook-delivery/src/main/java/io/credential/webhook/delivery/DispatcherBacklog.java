package io.credential.webhook.delivery;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The stored deliveries that are not delivered, on all nodes together. Counting stops at {@link #MOST} dead letters, and at
 * {@link #MOST} others: if {@code pending} and {@code inFlight} add up to it, each of the two may be higher.
 *
 * @param pending how many wait for an attempt
 * @param inFlight how many are claimed by a node
 * @param dead how many are dead letters
 * @param oldestDueAt since when the oldest pending delivery is due; null if none is due
 * @since 0.1.0
 */
public record DispatcherBacklog(
        int pending, int inFlight, int dead, @Nullable Instant oldestDueAt) {

    /** Where counting stops. */
    public static final int MOST = 100_000;
}
