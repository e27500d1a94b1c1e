package io.credential.webhook.delivery.internal.history;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatcherRows;

import static io.credential.webhook.delivery.DeliveryStatus.DEAD;
import static io.credential.webhook.delivery.DeliveryStatus.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;

@BothDatabases
class ExpiredDeliveryRemoverTests {

    private static final Instant OLD = DispatcherRows.NEW_YEAR;
    private static final Instant BEFORE = OLD.plus(Duration.ofDays(30));

    private final DispatcherRows rows;
    private final ExpiredDeliveryRemover remover;

    ExpiredDeliveryRemoverTests(TestDatabase test) {
        this.rows = new DispatcherRows(test);
        this.remover = new ExpiredDeliveryRemover(rows.database, rows.tables);
    }

    @Test
    void removeWhenDeliveredBeforeThenAttemptsAndEventGo() {
        String id = rows.delivery(rows.event(OLD), "shop", DELIVERED);
        rows.attempt(id, 1, OLD);

        assertThat(remove()).isEqualTo(1);

        assertThat(rows.ids("delivery_id", "{deliveries}")).isEmpty();
        assertThat(rows.ids("delivery_id", "{attempts}")).isEmpty();
        assertThat(rows.ids("event_id", "{events}")).isEmpty();
    }

    @Test
    void removeWhenDeliveredAtTheTimeOrLaterThenStays() {
        String atThatTime = rows.delivery(rows.event(OLD), "shop", DELIVERED);
        rows.change(atThatTime, "delivered_at = " + BEFORE.toEpochMilli());
        rows.attempt(atThatTime, 1, OLD);
        String later = rows.delivery(rows.event(BEFORE), "shop", DELIVERED);
        String justBefore = rows.delivery(rows.event(OLD), "shop", DELIVERED);
        rows.change(justBefore, "delivered_at = " + (BEFORE.toEpochMilli() - 1));

        assertThat(remove()).isEqualTo(1);

        assertThat(rows.ids("delivery_id", "{deliveries}")).containsExactly(atThatTime, later);
        assertThat(rows.ids("delivery_id", "{attempts}")).containsExactly(atThatTime);
        assertThat(rows.ids("event_id", "{events}")).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DELIVERED")
    void removeWhenDeadOrOpenThenStaysHoweverOld(DeliveryStatus status) {
        String event = rows.event(OLD);
        String id = rows.delivery(event, "shop", status);
        rows.attempt(id, 1, OLD);

        assertThat(remove()).isZero();

        assertThat(rows.ids("delivery_id", "{deliveries}")).containsExactly(id);
        assertThat(rows.ids("delivery_id", "{attempts}")).containsExactly(id);
        assertThat(rows.ids("event_id", "{events}")).containsExactly(event);
    }

    @Test
    void removeWhenADeliveryIsLeftThenItsEventStays() {
        String event = rows.event(OLD);
        rows.delivery(event, "a", DELIVERED);
        String dead = rows.delivery(event, "b", DEAD);

        assertThat(remove()).isEqualTo(1);

        assertThat(rows.ids("delivery_id", "{deliveries}")).containsExactly(dead);
        assertThat(rows.ids("event_id", "{events}")).containsExactly(event);
    }

    @Test
    void removeWhenNobodySubscribedThenOldEventGoes() {
        rows.event(OLD);
        String recent = rows.event(BEFORE);

        assertThat(remove()).isZero();

        assertThat(rows.ids("event_id", "{events}")).containsExactly(recent);
    }

    @Test
    void removeWhenBatchesHoldNothingThenReachesBeyondThem() {
        rows.database.inTransaction(() -> {
            for (int i = 0; i < 1100; i++) {
                rows.delivery(rows.event(OLD.plusMillis(i)), "shop", i < 600 ? DEAD : DELIVERED);
            }
            return "";
        });

        assertThat(remove()).isEqualTo(500);

        assertThat(rows.ids("delivery_id", "{deliveries}")).hasSize(600);
        assertThat(rows.ids("event_id", "{events}")).hasSize(600);
    }

    @Test
    void removeWhenTimeIsBefore1970ThenRemovesNothing() {
        rows.delivery("shop", DELIVERED);
        rows.event(OLD);

        assertThat(remover.removeDeliveredBefore(-1, () -> false)).isZero();

        assertThat(rows.ids("event_id", "{events}")).hasSize(2);
    }

    @Test
    void removeWhenStoppingThenLeavesTheRest() {
        rows.delivery(rows.event(OLD), "shop", DELIVERED);

        assertThat(remover.removeDeliveredBefore(BEFORE.toEpochMilli(), () -> true))
                .isZero();

        assertThat(rows.ids("event_id", "{events}")).hasSize(1);
    }

    private int remove() {
        return remover.removeDeliveredBefore(BEFORE.toEpochMilli(), () -> false);
    }
}
