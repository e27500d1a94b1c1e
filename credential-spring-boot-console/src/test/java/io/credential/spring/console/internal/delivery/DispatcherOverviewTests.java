package io.credential.spring.console.internal.delivery;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.credential.webhook.delivery.DispatcherActivity;
import io.credential.webhook.delivery.DispatcherBacklog;

import static org.assertj.core.api.Assertions.assertThat;

/** What the overview says about numbers that it does not have. */
class DispatcherOverviewTests {

    private static final DispatcherActivity ACTIVITY = new DispatcherActivity(true, Duration.ZERO, 0, 0, 0);

    @Test
    void atLeastThenOnlyIfCountingStopped() {
        DispatcherBacklog backlog = new DispatcherBacklog(1, 0, 0, null);

        assertThat(new DispatcherOverview(backlog, true, ACTIVITY, null).atLeast())
                .isEmpty();
        assertThat(new DispatcherOverview(backlog, false, ACTIVITY, null).atLeast())
                .isEqualTo("≥ ");
    }

    @Test
    void largestGroupsWhenNothingWasReadThenNone() {
        assertThat(new DispatcherOverview(null, true, ACTIVITY, null).largestGroups())
                .isEmpty();
    }
}
