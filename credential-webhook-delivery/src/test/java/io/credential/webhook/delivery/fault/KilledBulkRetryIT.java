package io.credential.webhook.delivery.fault;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

import io.credential.storage.internal.SqlDialect;
import io.credential.testing.ChildProcess;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.BulkJobState;
import io.credential.webhook.delivery.CountingReceiver;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.delivery.NodesFixture;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kills nodes while they select and while they retry. Each selected delivery is sent exactly once, and no other is sent. Of
 * 10,000 dead deliveries, 2,000 are selected; with {@code -Dcredential.test.long=true}, 50,000 of 500,000.
 */
@ParameterizedClass
@EnumSource(DatabaseKind.class)
class KilledBulkRetryIT {

    private static final boolean LONG = Boolean.getBoolean("credential.test.long");
    private static final int DEAD = LONG ? 500_000 : 10_000;
    private static final int SELECTED = LONG ? 50_000 : 2_000;
    private static final int ROWS_AT_ONCE = 1_000;

    private static final String ADD = """
            INSERT INTO {deliveries} (delivery_id, event_id, endpoint_id, status, attempts, next_attempt_at, dead_at,
                created_at)
            VALUES (:id, :eventId, :endpointId, 'dead', 8, :createdAt, :createdAt, :createdAt)""";

    /** Takes about a millisecond for each row, so that a kill finds a transaction under way. */
    private static final String SLOW_ON_POSTGRESQL = """
            CREATE TRIGGER slow_{change} BEFORE {change} ON {table} FOR EACH ROW EXECUTE FUNCTION slow()""";

    private static final String SLOW_ON_SQLITE = """
            CREATE TRIGGER slow_{change} AFTER {change} ON {table}
            BEGIN
                SELECT (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
                        SELECT count(*) FROM n);
            END""";

    @AutoClose
    private final NodesFixture fixture;

    KilledBulkRetryIT(DatabaseKind kind) {
        this.fixture = new NodesFixture(kind);
    }

    @Test
    void jobWhenNodesAreKilledThenSelectionIsSentOnceEach() {
        fixture.endpoint("selected", "none");
        fixture.endpoint("other", "none");
        Set<String> selected = addDead();
        slow("insert", "{job_items}");
        slow("update", "{deliveries}");
        BulkJob started = fixture.dispatcher
                .deliveries()
                .retryAll(DeliveryQuery.all().withEndpoint("selected").withStatus(DeliveryStatus.DEAD));

        killWhen(started, job -> job.selected() > 0);
        assertThat(job(started)).as("killed while it selected").returns(BulkJobState.SELECTING, BulkJob::state);
        killWhen(started, job -> job.done() > 0);
        assertThat(job(started)).as("killed while it retried").returns(BulkJobState.RETRYING, BulkJob::state);
        ChildProcess last = fixture.process(BulkRetryNode.class);
        await(started, job -> job.state() == BulkJobState.FINISHED);
        last.kill();

        assertThat(job(started))
                .returns((long) SELECTED, BulkJob::selected)
                .returns((long) SELECTED, BulkJob::done)
                .returns(0L, BulkJob::skipped);
        assertThat(fixture.deliveryIds("redeliveries = 1 AND status = 'pending'"))
                .isEqualTo(selected);
        assertThat(fixture.count("{deliveries} WHERE status = 'dead' AND redeliveries = 0"))
                .isEqualTo(DEAD - SELECTED);
        noLongerSlow();
        fixture.node("maxInFlightPerEndpoint=128");
        fixture.awaitNone("{deliveries} WHERE status NOT IN ('delivered', 'dead')");
        assertThat(fixture.receiver.receipts())
                .hasSize(SELECTED)
                .extracting(CountingReceiver.Receipt::deliveryId)
                .hasSameElementsAs(selected);
        assertThat(fixture.receiver.receipts())
                .extracting(CountingReceiver.Receipt::attempt)
                .containsOnly(1);
    }

    /** Starts a node, and kills it as soon as the job has come so far. */
    private void killWhen(BulkJob job, Predicate<BulkJob> reached) {
        ChildProcess node = fixture.process(BulkRetryNode.class);
        await(job, reached);
        node.kill();
    }

    private void await(BulkJob job, Predicate<BulkJob> reached) {
        Patience.until(() -> reached.test(job(job)));
    }

    private BulkJob job(BulkJob job) {
        return fixture.dispatcher.deliveries().job(job.id()).orElseThrow();
    }

    /** Adds dead deliveries of one event; those of the endpoint {@code selected}, which are returned, are spread among them. */
    private Set<String> addDead() {
        String event = fixture.rows.event(DispatcherRows.NEW_YEAR);
        Set<String> selected = new HashSet<>();
        String add = fixture.rows.tables.in(ADD);
        for (int first = 0; first < DEAD; first += ROWS_AT_ONCE) {
            List<SqlParameterSource> rows = IntStream.range(first, first + ROWS_AT_ONCE)
                    .<SqlParameterSource>mapToObj(number -> {
                        boolean isSelected = number % (DEAD / SELECTED) == 0;
                        String id = event.substring(0, 24) + "%08x".formatted(number);
                        if (isSelected) {
                            selected.add(id);
                        }
                        return new MapSqlParameterSource("id", id)
                                .addValue("eventId", event)
                                .addValue("endpointId", isSelected ? "selected" : "other")
                                .addValue("createdAt", DispatcherRows.NEW_YEAR.toEpochMilli());
                    })
                    .toList();
            fixture.database().inTransaction(() -> fixture.database().batchUpdate(add, rows));
        }
        return selected;
    }

    private void slow(String change, String table) {
        boolean postgresql = fixture.database().dialect() == SqlDialect.POSTGRESQL;
        if (postgresql) {
            fixture.rows.sql("""
                            CREATE OR REPLACE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql
                            AS 'BEGIN PERFORM pg_sleep(0.001); RETURN NEW; END'""").update();
        }
        fixture.rows
                .sql((postgresql ? SLOW_ON_POSTGRESQL : SLOW_ON_SQLITE)
                        .replace("{change}", change)
                        .replace("{table}", table))
                .update();
    }

    private void noLongerSlow() {
        boolean postgresql = fixture.database().dialect() == SqlDialect.POSTGRESQL;
        fixture.rows
                .sql("DROP TRIGGER slow_update" + (postgresql ? " ON {deliveries}" : ""))
                .update();
    }
}
