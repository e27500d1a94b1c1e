package io.credential.spring.console.internal.delivery;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.DeadLetterGroup;
import io.credential.webhook.delivery.DeadLetterGroups;
import io.credential.webhook.delivery.DispatcherActivity;
import io.credential.webhook.delivery.DispatcherBacklog;
import io.credential.webhook.delivery.HourlyAttempts;

/**
 * What the overview shows of webhooks.
 *
 * @param backlog null if it was not read recently
 * @param isComplete whether all deliveries of the backlog were counted
 * @param read null if the database did not answer
 */
public record DispatcherOverview(
        @Nullable DispatcherBacklog backlog,
        boolean isComplete,
        DispatcherActivity activity,
        @Nullable Read read) {

    private static final int GROUPS = 10;

    /** What is read from the database. */
    public record Read(List<HourlyAttempts> hours, DeadLetterGroups dead) {}

    /** Returns what to write before a number of the backlog. */
    public String atLeast() {
        return isComplete ? "" : "at least ";
    }

    /** Returns the largest groups of dead deliveries. */
    public List<DeadLetterGroup> largestGroups() {
        return read == null
                ? List.of()
                : read.dead().groups().stream().limit(GROUPS).toList();
    }
}
