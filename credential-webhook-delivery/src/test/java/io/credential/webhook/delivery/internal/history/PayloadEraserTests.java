package io.credential.webhook.delivery.internal.history;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.credential.audit.AuditEvent;
import io.credential.audit.internal.AuditTrail;
import io.credential.storage.internal.SqlDialect;
import io.credential.testing.BothDatabases;
import io.credential.testing.MutableClock;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.delivery.ErasureQuery;
import io.credential.webhook.delivery.ErasureResult;
import io.credential.webhook.delivery.internal.OperationalEvent;
import io.credential.webhook.delivery.internal.queue.DeathReporter;

import static io.credential.webhook.delivery.DeliveryStatus.DEAD;
import static io.credential.webhook.delivery.DeliveryStatus.DELIVERED;
import static io.credential.webhook.delivery.DeliveryStatus.IN_FLIGHT;
import static io.credential.webhook.delivery.DeliveryStatus.PENDING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

/** Each call examines four events, and each transaction changes at most two events and two deliveries. */
@BothDatabases
class PayloadEraserTests {

    private static final int EXAMINED = 4;
    private static final int BATCH = 2;
    private static final Instant NEW_YEAR = DispatcherRows.NEW_YEAR;
    private static final Instant LONG_AFTER = NEW_YEAR.plus(Duration.ofDays(3));
    private static final ErasureQuery OLD = ErasureQuery.ofCreatedBefore(NEW_YEAR.plus(Duration.ofDays(1)));

    private final DispatcherRows rows;
    private final MutableClock clock = new MutableClock(NEW_YEAR.plus(Duration.ofDays(2)));
    private final List<AuditEvent> audited = new ArrayList<>();
    private final List<OperationalEvent> raised = new ArrayList<>();
    private final PayloadEraser eraser;

    PayloadEraserTests(TestDatabase test) {
        this.rows = new DispatcherRows(test);
        this.eraser = eraser(clock);
    }

    private PayloadEraser eraser(InstantSource time) {
        return new PayloadEraser(
                rows.context(time),
                trail("webhook-event"),
                new DeathReporter(rows.database, raised::addAll, trail("webhook-delivery")),
                EXAMINED,
                BATCH);
    }

    private AuditTrail trail(String resourceKind) {
        return new AuditTrail(audited::add, () -> "operator", clock, resourceKind, true, true);
    }

    @Test
    void eraseThenOnlyTheMetadataStays() {
        String event = rows.event(NEW_YEAR);
        String id = rows.delivery(event, "shop", DELIVERED);
        rows.attempt(id, 1, NEW_YEAR);

        assertThat(eraser.erase(ErasureQuery.ofEvent(event))).isEqualTo(new ErasureResult(1, 0, null));

        assertThat(withPayload()).isEmpty();
        assertThat(rows.stored(id, "erased_at"))
                .isEqualTo(String.valueOf(clock.instant().toEpochMilli()));
        assertThat(rows.stored(id, "status")).isEqualTo("delivered");
        assertThat(rows.sql(
                                "SELECT attempt, response_status, reason, error, request_headers, location, response_headers,"
                                        + " response_body FROM {attempts}")
                        .query()
                        .singleRow())
                .containsEntry("attempt", 1)
                .containsEntry("response_status", 500)
                .containsEntry("error", "status 500")
                .containsEntry("reason", "http-status")
                .containsEntry("request_headers", null)
                .containsEntry("location", null)
                .containsEntry("response_headers", null)
                .containsEntry("response_body", null);
    }

    @Test
    void eraseWhenCalledAgainThenErasesNothing() {
        String event = rows.event(NEW_YEAR);
        rows.delivery(event, "shop", DELIVERED);
        var unused = eraser.erase(ErasureQuery.ofEvent(event));

        assertThat(eraser.erase(ErasureQuery.ofEvent(event))).isEqualTo(new ErasureResult(0, 0, null));

        assertThat(audited).hasSize(1);
    }

    @Test
    void eraseWhenNobodySubscribedThenErased() {
        String event = rows.event(NEW_YEAR);

        assertThat(eraser.erase(ErasureQuery.ofEvent(event)).erased()).isEqualTo(1);

        assertThat(withPayload()).isEmpty();
    }

    @Test
    void eraseWhenADeliveryIsOpenThenWholeEventIsSkipped() {
        for (var open : List.of(PENDING, IN_FLIGHT)) {
            String event = rows.event(NEW_YEAR);
            String delivered = rows.delivery(event, "a", DELIVERED);
            rows.attempt(delivered, 1, NEW_YEAR);
            rows.delivery(event, "b", open);

            assertThat(eraser.erase(ErasureQuery.ofEvent(event))).isEqualTo(new ErasureResult(0, 1, null));

            assertThat(withPayload()).contains(event);
            assertThat(rows.stored(delivered, "erased_at")).isNull();
            assertThat(rows.ids("delivery_id", "{attempts} WHERE response_body IS NOT NULL"))
                    .contains(delivered);
        }
        assertThat(audited).isEmpty();
    }

    @Test
    void eraseWhenPendingIsIncludedThenDeadAndReported() {
        String event = rows.event(NEW_YEAR);
        String delivered = rows.delivery(event, "a", DELIVERED);
        String pending = rows.delivery(event, "b", PENDING);

        assertThat(eraser.erase(ErasureQuery.ofEvent(event).includingPending()))
                .isEqualTo(new ErasureResult(1, 0, null));

        assertThat(withPayload()).isEmpty();
        assertThat(rows.stored(delivered, "status")).isEqualTo("delivered");
        assertThat(rows.stored(pending, "status")).isEqualTo("dead");
        assertThat(rows.stored(pending, "last_error")).isEqualTo("payload erased");
        assertThat(rows.stored(pending, "dead_at"))
                .isEqualTo(String.valueOf(clock.instant().toEpochMilli()));
        assertThat(audited)
                .filteredOn(reported -> reported.name().equals("webhook.delivery.dead"))
                .singleElement()
                .returns(pending, AuditEvent::resourceId)
                .returns("payload-erased", AuditEvent::reason)
                .returns(Map.of("endpointId", "b", "eventType", "order.paid", "attempts", 1), AuditEvent::attributes);
    }

    @Test
    void eraseWhenPendingIsIncludedThenDeathIsRaised() {
        String event = rows.event(NEW_YEAR);
        String pending = rows.delivery(event, "b", PENDING);
        String operational = rows.event(NEW_YEAR);
        rows.sql("UPDATE {events} SET event_type = 'credential.delivery.dead' WHERE event_id = :eventId")
                .param("eventId", operational)
                .update();
        rows.delivery(operational, "b", PENDING);

        assertThat(eraser.erase(OLD.includingPending())).isEqualTo(new ErasureResult(2, 0, null));

        assertThat(raised)
                .containsExactly(OperationalEvent.deliveryDead(
                        pending, event, "order.paid", "b", 1, DeadReason.PAYLOAD_ERASED, clock.instant()));
    }

    @Test
    void eraseWhenInFlightAndPendingIncludedThenSkipped() {
        String event = rows.event(NEW_YEAR);
        String pending = rows.delivery(event, "a", PENDING);
        rows.delivery(event, "b", IN_FLIGHT);

        assertThat(eraser.erase(ErasureQuery.ofEvent(event).includingPending()))
                .isEqualTo(new ErasureResult(0, 1, null));

        assertThat(rows.stored(pending, "status")).isEqualTo("pending");
        assertThat(withPayload()).containsExactly(event);
    }

    @Test
    void eraseWhenOfAudienceThenOthersStay() {
        String matching = rows.event(NEW_YEAR);
        audience(matching, "customer-7");
        String other = rows.event(NEW_YEAR);
        audience(other, "customer-8");
        String ofNone = rows.event(NEW_YEAR);
        String later = rows.event(NEW_YEAR.plus(Duration.ofDays(1)));
        audience(later, "customer-7");

        assertThat(eraser.erase(
                        ErasureQuery.ofAudience("customer-7").withCreatedBefore(NEW_YEAR.plus(Duration.ofDays(1)))))
                .isEqualTo(new ErasureResult(1, 0, null));

        assertThat(withPayload()).containsExactly(other, ofNone, later);
    }

    @Test
    void eraseWhenDispatchedAtTheTimeOrLaterThenStays() {
        rows.event(NEW_YEAR);
        String atThatTime = rows.event(NEW_YEAR.plusMillis(1));

        ErasureResult result = eraser.erase(ErasureQuery.ofCreatedBefore(NEW_YEAR.plusMillis(1)));

        assertThat(result).isEqualTo(new ErasureResult(1, 0, null));
        assertThat(withPayload()).containsExactly(atThatTime);
    }

    @Test
    void eraseWhenEventIsNewerThanTheTimeThenStays() {
        String event = rows.event(NEW_YEAR);

        assertThat(eraser.erase(ErasureQuery.ofEvent(event).withCreatedBefore(NEW_YEAR)))
                .isEqualTo(new ErasureResult(0, 0, null));
        assertThat(withPayload()).containsExactly(event);
    }

    @Test
    void eraseWhenCursorsAreFollowedThenReachesEverything() {
        List<String> events = events(10);
        rows.delivery(events.get(6), "shop", PENDING);
        List<ErasureResult> results = new ArrayList<>();

        ErasureResult result = eraser.erase(OLD);
        results.add(result);
        String cursor = result.nextCursor();
        while (cursor != null) {
            result = eraser.erase(OLD.after(cursor));
            results.add(result);
            cursor = result.nextCursor();
        }

        assertThat(results)
                .containsExactly(
                        new ErasureResult(4, 0, events.get(3)),
                        new ErasureResult(3, 1, events.get(7)),
                        new ErasureResult(2, 0, null));
        assertThat(withPayload()).containsExactly(events.get(6));
    }

    @Test
    void eraseBeforeThenReachesEverythingAndReportsOnce() {
        List<String> events = events(10);
        rows.delivery(events.get(6), "shop", PENDING);

        eraser.eraseBefore(NEW_YEAR.plus(Duration.ofDays(1)), () -> false);

        assertThat(withPayload()).containsExactly(events.get(6));
        assertThat(audited)
                .singleElement()
                .returns("webhook.payload.erase", AuditEvent::name)
                .returns(
                        Map.of("createdBefore", "2026-01-02T00:00:00Z", "erased", 9, "skipped", 1, "deadDeliveries", 0),
                        AuditEvent::attributes);
    }

    @Test
    void eraseBeforeWhenErasedEarlierThenNotVisitedAgain() {
        List<String> events = events(10);
        eraser.eraseBefore(LONG_AFTER, () -> false);
        rows.sql("UPDATE {events} SET payload = :payload")
                .param("payload", new byte[1])
                .update();

        eraser.eraseBefore(LONG_AFTER, () -> false);

        assertThat(withPayload()).containsExactlyElementsOf(events.subList(0, 8)); // the last stretch is not full
    }

    @Test
    void eraseBeforeWhenSkippedEarlierThenErased() {
        List<String> events = events(10);
        String open = rows.delivery(events.get(6), "shop", PENDING);
        eraser.eraseBefore(LONG_AFTER, () -> false);
        rows.change(open, "status = 'delivered', delivered_at = 1");

        eraser.eraseBefore(LONG_AFTER, () -> false);

        assertThat(withPayload()).isEmpty();
    }

    @Test
    void eraseBeforeWhenStoredWithAnOldIdThenErased() {
        events(10);
        eraser.eraseBefore(NEW_YEAR.plus(Duration.ofDays(1)), () -> false);
        rows.event(NEW_YEAR);

        eraser.eraseBefore(NEW_YEAR.plus(Duration.ofDays(1)), () -> false);

        assertThat(withPayload()).isEmpty();
    }

    @Test
    void eraseBeforeWhenRolledBackThenVisitedAgain() {
        events(10);
        assertThatIllegalStateException()
                .isThrownBy(() -> rows.database.inTransaction(() -> {
                    eraser.eraseBefore(LONG_AFTER, () -> false);
                    throw new IllegalStateException("rolled back");
                }));

        eraser.eraseBefore(LONG_AFTER, () -> false);

        assertThat(withPayload()).isEmpty();
    }

    @Test
    void eraseBeforeWhenStoppingThenLeavesTheRest() {
        List<String> events = events(10);
        AtomicInteger stretches = new AtomicInteger();

        eraser.eraseBefore(LONG_AFTER, () -> stretches.incrementAndGet() > 1);

        assertThat(withPayload()).containsExactlyElementsOf(events.subList(EXAMINED, 10));
    }

    @Test
    void eraseWhenMoreDeliveriesThanABatchThenAll() {
        String event = rows.event(NEW_YEAR);
        List<String> deliveries = IntStream.range(0, 7)
                .mapToObj(i -> rows.delivery(event, "shop-" + i, i % 2 == 0 ? DEAD : DELIVERED))
                .toList();
        deliveries.forEach(id -> rows.attempt(id, 1, NEW_YEAR));

        assertThat(eraser.erase(ErasureQuery.ofEvent(event)).erased()).isEqualTo(1);

        assertThat(rows.ids("delivery_id", "{deliveries} WHERE erased_at IS NULL"))
                .isEmpty();
        assertThat(rows.ids("delivery_id", "{attempts} WHERE response_body IS NOT NULL"))
                .isEmpty();
        assertThat(withPayload()).isEmpty();
    }

    @Test
    void eraseWhenAStepMarksNothingThenContinues() {
        String replayed = rows.event(NEW_YEAR);
        List<String> deliveries = IntStream.range(0, 2 * BATCH)
                .mapToObj(i -> rows.delivery(replayed, "shop-" + i, DEAD))
                .toList();
        String other = rows.event(NEW_YEAR);
        rows.delivery(other, "shop", DEAD);
        PayloadEraser meanwhile = eraser(() -> {
            deliveries.subList(BATCH, 2 * BATCH).forEach(id -> rows.change(id, "status = 'pending', dead_at = NULL"));
            return clock.instant();
        });

        assertThat(meanwhile.erase(OLD)).isEqualTo(new ErasureResult(1, 1, null));

        assertThat(withPayload()).containsExactly(replayed);
    }

    @Test
    void eraseWhenItFailsInBetweenThenSameCallContinues() {
        String event = rows.event(NEW_YEAR);
        Stream.of("a", "b", "c").forEach(endpointId -> rows.delivery(event, endpointId, DELIVERED));
        AtomicInteger batches = new AtomicInteger();
        PayloadEraser failing = eraser(() -> {
            if (batches.incrementAndGet() > 1) {
                throw new IllegalStateException("stopped");
            }
            return clock.instant();
        });

        assertThatIllegalStateException().isThrownBy(() -> failing.erase(ErasureQuery.ofEvent(event)));
        assertThat(rows.ids("delivery_id", "{deliveries} WHERE erased_at IS NOT NULL"))
                .hasSize(BATCH);
        assertThat(withPayload()).containsExactly(event);

        assertThat(eraser.erase(ErasureQuery.ofEvent(event))).isEqualTo(new ErasureResult(1, 0, null));
        assertThat(withPayload()).isEmpty();
    }

    @Test
    void eraseWhenItFailsInBetweenThenReportsWhatIsErased() {
        events(4).forEach(event -> rows.delivery(event, "shop", DELIVERED));
        AtomicInteger calls = new AtomicInteger();
        PayloadEraser failing = eraser(() -> {
            if (calls.incrementAndGet() > 1) {
                throw new IllegalStateException("stopped");
            }
            return clock.instant();
        });

        assertThatIllegalStateException().isThrownBy(() -> failing.erase(OLD));

        assertThat(withPayload()).hasSize(2);
        assertThat(audited)
                .singleElement()
                .satisfies(reported -> assertThat(reported.attributes()).containsEntry("erased", 2));
    }

    @Test
    void eraseWhenRolledBackThenNothingIsErasedOrReported() {
        String event = rows.event(NEW_YEAR);
        String id = rows.delivery(event, "shop", DELIVERED);

        assertThatIllegalStateException()
                .isThrownBy(() -> rows.database.inTransaction(() -> {
                    assertThat(eraser.erase(ErasureQuery.ofEvent(event)).erased())
                            .isEqualTo(1);
                    throw new IllegalStateException("rolled back");
                }));

        assertThat(withPayload()).containsExactly(event);
        assertThat(rows.stored(id, "erased_at")).isNull();
        assertThat(audited).isEmpty();
    }

    @Test
    void eraseWhenDeliveryIsLockedThenSkippedWithoutWaiting() throws SQLException {
        assumeThat(rows.database.dialect())
                .as("SQLite has one writer at a time")
                .isEqualTo(SqlDialect.POSTGRESQL);
        String event = rows.event(NEW_YEAR);
        rows.delivery(event, "a", DELIVERED);
        String locked = rows.delivery(event, "b", DELIVERED);
        try (Connection other = rows.database.dataSource().getConnection()) {
            other.setAutoCommit(false);
            try (Statement statement = other.createStatement()) {
                statement.execute(
                        rows.tables.in("UPDATE {deliveries} SET attempts = 2 WHERE delivery_id = '" + locked + "'"));
            }

            assertThat(eraser.erase(ErasureQuery.ofEvent(event))).isEqualTo(new ErasureResult(0, 1, null));
            other.rollback();
            other.setAutoCommit(true);
        }

        assertThat(eraser.erase(ErasureQuery.ofEvent(event))).isEqualTo(new ErasureResult(1, 0, null));
    }

    @Test
    void eraseThenReportsCountsAndConditions() {
        String event = rows.event(NEW_YEAR);
        audience(event, "customer-7");

        var unused = eraser.erase(ErasureQuery.ofAudience("customer-7"));

        assertThat(audited)
                .singleElement()
                .returns("webhook.payload.erase", AuditEvent::name)
                .returns("operator", AuditEvent::actor)
                .returns("webhook-event", AuditEvent::resourceKind)
                .returns(
                        Map.of("audience", "customer-7", "erased", 1, "skipped", 0, "deadDeliveries", 0),
                        AuditEvent::attributes);
    }

    private List<String> events(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> rows.event(NEW_YEAR.plusMillis(i)))
                .toList();
    }

    private void audience(String event, String audience) {
        rows.sql("UPDATE {events} SET audience = :audience WHERE event_id = :id")
                .param("audience", audience)
                .param("id", event)
                .update();
    }

    private List<String> withPayload() {
        return rows.ids("event_id", "{events} WHERE payload IS NOT NULL");
    }
}
