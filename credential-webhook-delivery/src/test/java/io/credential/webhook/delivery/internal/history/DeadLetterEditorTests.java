package io.credential.webhook.delivery.internal.history;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.credential.audit.AuditEvent;
import io.credential.audit.internal.AuditTrail;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.CapturedLog;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DeadLetterQuery;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.http.FailureReason;

import static io.credential.webhook.delivery.DeliveryStatus.DEAD;
import static io.credential.webhook.delivery.DeliveryStatus.DELIVERED;
import static io.credential.webhook.delivery.DeliveryStatus.PENDING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

@BothDatabases
class DeadLetterEditorTests {

    private static final Instant NOW = DispatcherRows.NEW_YEAR.plus(Duration.ofDays(1));

    private final TestDatabase test;
    private final DispatcherRows rows;
    private final DeliveryReader reader;
    private final DeadLetterEditor editor;
    private final List<AuditEvent> audited = new ArrayList<>();

    DeadLetterEditorTests(TestDatabase test) {
        this.test = test;
        this.rows = new DispatcherRows(test);
        this.reader = new DeliveryReader(rows.database, rows.tables);
        this.editor = new DeadLetterEditor(rows.database, rows.tables, audit(), () -> {});
    }

    @Test
    void replayAllThenMakesDeadPendingWithAllAttemptsAhead() {
        String dead = rows.delivery("shop", DEAD);
        rows.change(dead, "takeovers = 2");
        String delivered = rows.delivery("shop", DELIVERED);

        assertThat(editor.replayAll(DeadLetterQuery.all(), NOW.toEpochMilli())).isEqualTo(1);

        assertThat(reader.find(dead)).hasValueSatisfying(delivery -> {
            assertThat(delivery.status()).isEqualTo(PENDING);
            assertThat(delivery.attempts()).isZero();
            assertThat(delivery.nextAttemptAt()).isEqualTo(NOW);
        });
        assertThat(rows.stored(dead, "takeovers")).isEqualTo("0");
        assertThat(rows.stored(delivered, "status")).isEqualTo("delivered");
        assertThat(rows.ids("delivery_id", "{deliveries} WHERE dead_at IS NOT NULL"))
                .isEmpty();
    }

    @Test
    void queryThenPicksByEndpointAndTimeOfDeath() {
        long death = DispatcherRows.NEW_YEAR.plusSeconds(1).toEpochMilli();
        String early = rows.delivery("shop", DEAD);
        String middle = rows.delivery("shop", DEAD);
        rows.change(middle, "dead_at = " + (death + 1));
        String late = rows.delivery("shop", DEAD);
        rows.change(late, "dead_at = " + (death + 2));
        String other = rows.delivery("other", DEAD);
        rows.change(other, "dead_at = " + (death + 1));

        assertThat(editor.replayAll(
                        new DeadLetterQuery(
                                "shop", Instant.ofEpochMilli(death + 1), Instant.ofEpochMilli(death + 2), null, false),
                        NOW.toEpochMilli()))
                .isEqualTo(1);
        assertThat(rows.stored(middle, "status")).isEqualTo("pending");
        assertThat(editor.purge(DeadLetterQuery.ofEndpoint("shop"))).isEqualTo(2);
        assertThat(reader.find(early)).isEmpty();
        assertThat(reader.find(late)).isEmpty();
        assertThat(reader.find(other)).isPresent();
    }

    @Test
    void queryWithReasonThenPicksOnlyThose() {
        String timedOut = rows.delivery("shop", DEAD);
        rows.change(timedOut, "last_reason = 'timed-out'");
        String refused = rows.delivery("shop", DEAD);
        rows.change(refused, "last_reason = 'refused'");
        String none = rows.delivery("shop", DEAD);
        DeadLetterQuery query = DeadLetterQuery.all().withReason(FailureReason.TIMED_OUT);

        assertThat(editor.replayAll(query, NOW.toEpochMilli())).isEqualTo(1);
        assertThat(rows.stored(timedOut, "status")).isEqualTo("pending");
        assertThat(editor.purge(query)).isZero();
        assertThat(editor.purge(DeadLetterQuery.all().withReason(FailureReason.REFUSED)))
                .isEqualTo(1);
        assertThat(reader.find(refused)).isEmpty();
        assertThat(reader.find(none)).isPresent();
        assertThat(audited)
                .extracting(event -> event.attributes().get("reason"))
                .containsExactly("timed-out", "refused");
    }

    @Test
    void queryWithoutReasonThenPicksOnlyThoseThatLackOne() {
        String timedOut = rows.delivery("shop", DEAD);
        rows.change(timedOut, "last_reason = 'timed-out'");
        String none = rows.delivery("shop", DEAD);

        assertThat(editor.purge(DeadLetterQuery.ofEndpoint("shop").withoutReason()))
                .isEqualTo(1);

        assertThat(reader.find(none)).isEmpty();
        assertThat(reader.find(timedOut)).isPresent();
        assertThat(audited)
                .singleElement()
                .returns("none", event -> event.attributes().get("reason"));
    }

    @Test
    void queryWhenReasonAndNoneThenRefused() {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> new DeadLetterQuery(null, null, null, FailureReason.TIMED_OUT, true))
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
        assertThat(DeadLetterQuery.all().withReason(FailureReason.TIMED_OUT).withoutReason())
                .isEqualTo(DeadLetterQuery.all().withoutReason());
        assertThat(DeadLetterQuery.all().withoutReason().withReason(FailureReason.TIMED_OUT))
                .isEqualTo(DeadLetterQuery.all().withReason(FailureReason.TIMED_OUT));
    }

    @Test
    void queryWhenTimesAreExtremeThenNothingOverflows() {
        rows.delivery("shop", DEAD);

        assertThat(editor.replayAll(new DeadLetterQuery(null, Instant.MAX, null, null, false), 0))
                .isZero();
        assertThat(editor.replayAll(new DeadLetterQuery(null, null, Instant.MIN, null, false), 0))
                .isZero();
        assertThat(editor.replayAll(new DeadLetterQuery(null, Instant.MIN, Instant.MAX, null, false), 0))
                .isEqualTo(1);
    }

    @Test
    void replayAllAndPurgeThenReachBeyondOneBatch() {
        rows.database.inTransaction(() -> {
            for (int i = 0; i < 1001; i++) {
                rows.delivery("shop", DEAD);
            }
            return "";
        });

        assertThat(editor.replayAll(DeadLetterQuery.all(), NOW.toEpochMilli())).isEqualTo(1001);
        rows.sql("UPDATE {deliveries} SET status = 'dead', dead_at = 1").update();
        assertThat(editor.purge(DeadLetterQuery.all())).isEqualTo(1001);
        assertThat(rows.ids("event_id", "{events}")).isEmpty();
    }

    @Test
    void replayAllAndPurgeWhenManyThenProgressIsLogged() {
        String eventId = rows.event(DispatcherRows.NEW_YEAR);
        rows.sql("""
                        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
                        INSERT INTO {deliveries} (delivery_id, event_id, endpoint_id, status, attempts, next_attempt_at,
                            dead_at, created_at)
                        SELECT 'delivery-' || i, :eventId, 'shop-' || i, 'dead', 1, 1, 1, 1
                        FROM n""").param("eventId", eventId).update();
        rows.change("delivery-1", "erased_at = 1");

        try (CapturedLog log = CapturedLog.of(DeadLetterEditor.class)) {
            editor.replayAll(DeadLetterQuery.all(), NOW.toEpochMilli());
            rows.sql("UPDATE {deliveries} SET status = 'dead', dead_at = 1").update();
            editor.purge(DeadLetterQuery.all());

            assertThat(log.lines())
                    .containsExactly(
                            "Replaying dead deliveries in _credential_webhook_deliveries: 10000 rows examined, 9999"
                                    + " changed so far",
                            "Purging dead deliveries in _credential_webhook_deliveries: 10000 rows examined, 10000"
                                    + " changed so far");
        }
    }

    @Test
    void purgeThenRemovesAttemptsAndOrphanedEvents() {
        String lonely = rows.event(DispatcherRows.NEW_YEAR);
        String dead = rows.delivery(lonely, "a", DEAD);
        rows.attempt(dead, 1, NOW);
        String shared = rows.event(DispatcherRows.NEW_YEAR);
        rows.delivery(shared, "a", DEAD);
        String open = rows.delivery(shared, "b", PENDING);
        rows.attempt(open, 1, NOW);
        String unread = rows.event(DispatcherRows.NEW_YEAR);

        assertThat(editor.purge(DeadLetterQuery.all())).isEqualTo(2);

        assertThat(rows.ids("delivery_id", "{deliveries}")).containsExactly(open);
        assertThat(rows.ids("delivery_id", "{attempts}")).containsExactly(open);
        assertThat(rows.ids("event_id", "{events}")).containsExactly(shared, unread);
    }

    @Test
    void replayAllAndPurgeWhenRolledBackThenChangeNothing() {
        String replayed = rows.delivery("a", DEAD);
        String purged = rows.delivery("b", DEAD);

        assertThatIllegalStateException()
                .isThrownBy(() -> rows.database.inTransaction(() -> {
                    assertThat(editor.replayAll(DeadLetterQuery.ofEndpoint("a"), 0))
                            .isEqualTo(1);
                    assertThat(editor.purge(DeadLetterQuery.ofEndpoint("b"))).isEqualTo(1);
                    throw new IllegalStateException("roll back");
                }));

        assertThat(rows.ids("delivery_id", "{deliveries} WHERE dead_at IS NOT NULL"))
                .containsExactly(replayed, purged);
        assertThat(rows.ids("event_id", "{events}")).hasSize(2);
    }

    @Test
    void replayAllAndPurgeThenAudited() {
        rows.delivery("a", DEAD);
        rows.delivery("b", DEAD);

        editor.replayAll(new DeadLetterQuery("a", null, NOW, null, false), 0);
        editor.purge(DeadLetterQuery.all());
        editor.purge(DeadLetterQuery.all());

        assertThat(audited)
                .extracting(AuditEvent::name, AuditEvent::actor, AuditEvent::attributes)
                .containsExactly(
                        tuple(
                                "webhook.dead-letter.replay",
                                "operator",
                                Map.of("count", 1, "endpointId", "a", "diedBefore", NOW.toString())),
                        tuple("webhook.dead-letter.purge", "operator", Map.of("count", 1)));
    }

    @Test
    void purgeWhenRolledBackThenNotAudited() {
        rows.delivery("a", DEAD);

        assertThatIllegalStateException()
                .isThrownBy(() -> rows.database.inTransaction(() -> {
                    editor.purge(DeadLetterQuery.all());
                    throw new IllegalStateException("roll back");
                }));

        assertThat(audited).isEmpty();
    }

    private AuditTrail audit() {
        return new AuditTrail(audited::add, () -> "operator", InstantSource.fixed(NOW), "webhook-delivery", true, true);
    }

    @Test
    void queryWhenEndpointIsImpossibleThenNotLookedUp() {
        DeadLetterEditor closed;
        try (TestDatabase gone = TestDatabase.create(test.kind())) {
            closed = new DeadLetterEditor(CredentialDatabase.of(gone.dataSource()), rows.tables, audit(), () -> {});
        }

        assertThat(closed.replayAll(DeadLetterQuery.ofEndpoint("no\0name"), 0)).isZero();
        assertThat(closed.purge(DeadLetterQuery.ofEndpoint("no\0name"))).isZero();
    }
}
