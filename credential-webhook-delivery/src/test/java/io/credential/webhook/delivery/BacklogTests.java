package io.credential.webhook.delivery;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** The numbers behind the metrics of the dispatcher. */
@BothDatabases
class BacklogTests extends DispatcherTestBase {

    private final JdbcWebhookDispatcher node;

    BacklogTests(TestDatabase test) {
        super(test);
        this.node = fixture.dispatcher;
    }

    @Test
    void backlogWhenNothingIsStoredThenZero() {
        assertThat(node.backlog()).isEqualTo(new DispatcherBacklog(0, 0, 0, null));
    }

    @Test
    void backlogThenCountsByStatusWithoutDelivered() {
        fixture.rows.delivery("a", DeliveryStatus.PENDING);
        fixture.rows.delivery("b", DeliveryStatus.PENDING);
        fixture.rows.delivery("b", DeliveryStatus.IN_FLIGHT);
        fixture.rows.delivery("b", DeliveryStatus.DEAD);
        fixture.rows.delivery("b", DeliveryStatus.DELIVERED);

        DispatcherBacklog backlog = node.backlog();

        assertThat(backlog.pending()).isEqualTo(2);
        assertThat(backlog.inFlight()).isOne();
        assertThat(backlog.dead()).isOne();
        assertThat(backlog.oldestDueAt()).isEqualTo(DispatcherRows.NEW_YEAR);
    }

    @Test
    void backlogWhenNothingIsDueYetThenNoOldest() {
        String id = fixture.rows.delivery("a", DeliveryStatus.PENDING);
        fixture.rows.change(id, "next_attempt_at = " + fixture.clock.millis() + " + 1");
        assertThat(node.backlog().oldestDueAt()).isNull();

        fixture.clock.advance(Duration.ofMillis(1));

        assertThat(node.backlog().oldestDueAt()).isEqualTo(fixture.clock.instant());
    }

    @Test
    void backlogWhenItIsLargeThenRightBeforeDuringAndAfter() {
        assertThat(node.backlog().pending()).isZero();

        insertPending(DispatcherBacklog.MOST);
        assertThat(node.backlog().pending()).isEqualTo(DispatcherBacklog.MOST);

        insertPending(5);
        assertThat(node.backlog().pending()).isEqualTo(DispatcherBacklog.MOST);

        settle("delivered_at", 60_005);
        assertThat(node.backlog().pending()).isEqualTo(40_000);

        settle("dead_at", 40_000);
        assertThat(node.backlog()).isEqualTo(new DispatcherBacklog(0, 0, 40_000, null));
    }

    @Test
    void openThenPendingAndInFlightOfTheEndpoint() {
        fixture.rows.delivery("a", DeliveryStatus.PENDING);
        fixture.rows.delivery("a", DeliveryStatus.IN_FLIGHT);
        fixture.rows.delivery("a", DeliveryStatus.DEAD);
        fixture.rows.delivery("a", DeliveryStatus.DELIVERED);
        fixture.rows.delivery("b", DeliveryStatus.PENDING);

        assertThat(node.operatorViews().openDeliveries("a", 10)).isEqualTo(2);
        assertThat(node.operatorViews().openDeliveries("b", 10)).isOne();
        assertThat(node.operatorViews().openDeliveries("c", 10)).isZero();
    }

    @Test
    void openWhenThereAreMoreThenStopsAtTheLimit() {
        for (int i = 0; i < 4; i++) {
            fixture.rows.delivery("a", DeliveryStatus.PENDING);
        }

        assertThat(node.operatorViews().openDeliveries("a", 3)).isEqualTo(3);
        assertThat(node.operatorViews().openDeliveries("a", 4)).isEqualTo(4);
    }

    @Test
    void activityThenWhatThisNodeDoes() {
        assertThat(node.activity().started()).isFalse();

        node.start();

        assertThat(node.activity().started()).isTrue();
        assertThat(node.activity().running()
                        + node.activity().waiting()
                        + node.activity().settling())
                .isZero();
    }

    private void insertPending(int number) {
        String eventId = fixture.rows.event(fixture.clock.instant());
        jdbc().sql(fixture.rows.tables.in("""
                        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :number)
                        INSERT INTO {deliveries} (delivery_id, event_id, endpoint_id, status, attempts, next_attempt_at, created_at)
                        SELECT substr(:eventId, 1, 24) || CAST(10000000 + i AS TEXT), :eventId, 'endpoint-' || (i % 50),
                            'pending', 0, 1, 1
                        FROM n"""))
                .param("number", number)
                .param("eventId", eventId)
                .update();
    }

    private void settle(String column, int number) {
        jdbc().sql(fixture.rows.tables.in("""
                        UPDATE {deliveries} SET status = 'settled', %s = 2
                        WHERE delivery_id IN (SELECT delivery_id FROM {deliveries} WHERE status = 'pending' LIMIT :number)""".formatted(column)))
                .param("number", number)
                .update();
    }

    /** However long it takes. */
    private JdbcClient jdbc() {
        return JdbcClient.create(test.dataSource());
    }
}
