package io.credential.webhook.delivery.internal.history;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DeadLetterGroup;
import io.credential.webhook.delivery.DeadLetterGroups;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.http.FailureReason;

import static io.credential.webhook.delivery.DeliveryStatus.DEAD;
import static io.credential.webhook.delivery.DeliveryStatus.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;

@BothDatabases
class DeadLetterCounterTests {

    private static final Instant DIED = DispatcherRows.NEW_YEAR.plusSeconds(1);

    private final DispatcherRows rows;

    DeadLetterCounterTests(TestDatabase test) {
        this.rows = new DispatcherRows(test);
    }

    @Test
    void groupsThenByEndpointAndReasonTheLargestFirst() {
        dead("shop", "'timed-out'", 0);
        dead("other", null, 5);
        dead("other", null, 7);
        dead("other", null, 6);
        dead("shop", "'refused'", 1);
        dead("shop", "'refused'", 2);
        rows.delivery("shop", DELIVERED);

        assertThat(groups(100))
                .isEqualTo(new DeadLetterGroups(
                        List.of(
                                new DeadLetterGroup("other", null, 3, DIED.plusMillis(5), DIED.plusMillis(7)),
                                new DeadLetterGroup(
                                        "shop", FailureReason.REFUSED, 2, DIED.plusMillis(1), DIED.plusMillis(2)),
                                new DeadLetterGroup("shop", FailureReason.TIMED_OUT, 1, DIED, DIED)),
                        true));
    }

    @Test
    void groupsWhenThereAreMoreThenOnlyTheNewestCount() {
        dead("oldest", null, 0);
        dead("shop", null, 0);
        dead("shop", null, 0);

        assertThat(groups(2))
                .isEqualTo(new DeadLetterGroups(List.of(new DeadLetterGroup("shop", null, 2, DIED, DIED)), false));
        assertThat(groups(4).complete()).isTrue();
    }

    @Test
    void groupsWhenNoneIsDeadThenEmpty() {
        rows.delivery("shop", DELIVERED);

        assertThat(groups(100)).isEqualTo(new DeadLetterGroups(List.of(), true));
    }

    private DeadLetterGroups groups(int examined) {
        return new DeadLetterCounter(rows.database, rows.tables, examined).groups();
    }

    private void dead(String endpointId, @Nullable String reason, int millisLater) {
        rows.change(
                rows.delivery(endpointId, DEAD), "last_reason = " + reason + ", dead_at = dead_at + " + millisLater);
    }
}
