package io.credential.webhook.delivery.internal.outbox;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.SchemaMode;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.SqlDialect;
import io.credential.testing.DatabaseKind;
import io.credential.testing.PlanRecorder;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.delivery.internal.queue.AttemptLog;
import io.credential.webhook.delivery.internal.queue.BacklogReader;
import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.DeliveryQueue;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.delivery.internal.queue.Payload;
import io.credential.webhook.delivery.internal.queue.Settlement;
import io.credential.webhook.delivery.internal.queue.StoredResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * The statements on the way of a delivery keep to their indexes among many deliveries, most of them delivered, and many
 * subscriptions.
 */
@ParameterizedClass
@MethodSource("filledDatabases")
class StatementPlansIT {

    private static final int OPEN_EVERY = 25;
    private static final int DELIVERIES_OF_AN_EVENT = 5;
    private static final int ENDPOINTS = 400;
    private static final int SUBSCRIPTIONS = 20_000;
    private static final int SUBSCRIBERS_OF_A_TYPE = 10;
    private static final int BATCH = 100;
    private static final int ENDPOINTS_OF_A_CLAIM = 10;

    /** After some runs PostgreSQL may settle on one plan for all parameters, which must do as well. */
    private static final int RUNS = 15;

    /** Reads a table or an index from one end to the other. The index of suspects has no entries as a rule. */
    private static final Pattern SCANS_ALL = Pattern.compile(
            "Seq Scan on _credential_webhook_|^SCAN (?!\\(|CONSTANT|o$|open$|first$|d USING INDEX \\w+_suspect$)",
            Pattern.MULTILINE);

    /** Reads a table without an index. */
    private static final Pattern READS_TABLE =
            Pattern.compile("Seq Scan on _credential_webhook_|^SCAN d$", Pattern.MULTILINE);

    /**
     * PostgreSQL reports how many pairs of rows a join compared in vain. A thousand or more means that a batch was joined with
     * itself.
     */
    private static final Pattern COMPARES_BATCH_WITH_ITSELF = Pattern.compile("Rows Removed by Join Filter: \\d{4}");

    private static final Claim CLAIM = new Claim(7, "node", 2_000_000, 0);
    private static final DispatcherTables TABLES = DispatcherRows.DEFAULT_TABLES;

    private final PlanRecorder plans;
    private final CredentialDatabase database;
    private final DeliveryQueue queue;

    StatementPlansIT(PlanRecorder plans) {
        this.plans = plans;
        this.database = plans.database();
        this.queue = DeliveryQueue.of(database, TABLES, 8192);
    }

    /** One for all tests on it; JUnit closes it. */
    static Stream<PlanRecorder> filledDatabases() {
        return Arrays.stream(DatabaseKind.values()).map(PlanRecorder::open).map(StatementPlansIT::filled);
    }

    private static PlanRecorder filled(PlanRecorder plans) {
        CredentialDatabase database = plans.database();
        boolean large = database.dialect() == SqlDialect.POSTGRESQL;
        int deliveries = large ? 1_000_000 : 100_000;
        new SchemaMigrator(database, TABLES.scripts(database.dialect())).run(SchemaMode.MIGRATE);
        insert(
                database,
                deliveries / DELIVERIES_OF_AN_EVENT,
                "{events} (event_id, event_type, payload, created_at)",
                "'00000000000000' || (1000000000 + i) || '00000000', 'event', '{}', i");
        insert(database, deliveries, """
                {deliveries} (delivery_id, event_id, endpoint_id, status, attempts, next_attempt_at, delivered_at,
                    created_at)""", """
                '00000000000000' || (1000000000 + i / %1$d) || (10000000 + i %% %1$d),
                '00000000000000' || (1000000000 + i / %1$d) || '00000000', 'endpoint-' || (i %% %2$d),
                CASE WHEN i %% %3$d = 0 THEN 'pending' ELSE 'delivered' END, 0, i,
                CASE WHEN i %% %3$d = 0 THEN NULL ELSE i END, i""".formatted(DELIVERIES_OF_AN_EVENT, ENDPOINTS - 1, OPEN_EVERY));
        insert(
                database,
                SUBSCRIPTIONS,
                "{endpoints} (endpoint_id, url, secret, created_at)",
                "'endpoint-' || i, 'https://example.com/hook', 'sealed', 0");
        insert(
                database,
                SUBSCRIPTIONS,
                "{subscriptions} (event_type, endpoint_id)",
                "'event-' || (i / %d), 'endpoint-' || i".formatted(SUBSCRIBERS_OF_A_TYPE));
        if (large) {
            JdbcClient.create(database.dataSource())
                    .sql("ANALYZE")
                    .update(); // as its autovacuum does by itself; SQLite knows no such thing
        }
        return plans;
    }

    /** Inserts so many rows, whose values are made from the number {@code i}. */
    private static void insert(CredentialDatabase database, int count, String into, String values) {
        JdbcClient.create(database.dataSource())
                .sql(TABLES.in("INSERT INTO " + into + " WITH RECURSIVE series (i) AS (SELECT 0 UNION ALL"
                        + " SELECT i + 1 FROM series WHERE i + 1 < " + count + ") SELECT " + values + " FROM series"))
                .update();
    }

    @Test
    void claimThenStepsThroughOpenDeliveriesOnly() {
        plans.begin();
        assertThat(claim(0)).hasSize(RUNS * BATCH);

        assertThatPlansUse(
                "_credential_webhook_deliveries_open",
                primaryKey("_credential_webhook_deliveries"),
                primaryKey("_credential_webhook_events"),
                primaryKey("_credential_webhook_endpoints"));
    }

    @Test
    void scanThenStepsThroughOpenDeliveriesOnly() {
        int due = database.jdbc()
                .sql(TABLES.in("SELECT count(DISTINCT endpoint_id) FROM {deliveries}"
                        + " WHERE status = 'pending' AND next_attempt_at <= 2000000"))
                .query(Integer.class)
                .single(); // fewer after tests that have claimed some
        plans.begin();
        for (int i = 0; i < RUNS; i++) {
            assertThat(queue.scan(2_000_000).dueAts()).hasSize(due);
        }

        assertThatPlansUse("_credential_webhook_deliveries_open");
    }

    @Test
    void backlogThenReadsPartialIndexesOnly() {
        BacklogReader backlog = new BacklogReader(database, TABLES, queue, InstantSource.system());
        plans.begin();
        assertThat(backlog.read().pending()).isPositive();

        assertThat(plans.end())
                .anyMatch(plan -> plan.contains("_credential_webhook_deliveries_open"))
                .anyMatch(plan -> plan.contains("_credential_webhook_deliveries_dead"))
                .noneMatch(plan -> READS_TABLE.matcher(plan).find());
    }

    @Test
    void settleThenFindsItsRowsByTheirIds() {
        List<ClaimedDelivery> claimed = claim(RUNS);
        plans.begin();
        for (int i = 0; i < RUNS; i++) {
            int size = i % 2 == 0 ? 1 : BATCH;
            List<Settlement> settlements = claimed.subList(BATCH * i, BATCH * i + size).stream()
                    .map(StatementPlansIT::delivered)
                    .toList();
            assertThat(queue.settle(settlements)).hasSize(size);
        }

        assertThatPlansUse(primaryKey("_credential_webhook_deliveries"));
    }

    @Test
    void storeThenFindsSubscribersByTheEventType() {
        EventStore events = EventStore.of(database, TABLES, Set::of, new SecureRandom());
        plans.begin();
        for (int i = 0; i < RUNS; i++) {
            StoredEvent stored = events.store(event(i));
            assertThat(stored.deliveries()).hasSize(SUBSCRIBERS_OF_A_TYPE);
        }

        assertThatPlansUse(
                primaryKey("_credential_webhook_subscriptions"), primaryKey("_credential_webhook_endpoints"));
    }

    @Test
    void storeAndSettleThenAreNotPlannedEachTime() {
        assumeThat(database.dialect()).isEqualTo(SqlDialect.POSTGRESQL);
        storeAndSettleOneByOne(2 * RUNS);

        assertThat(plansForAnyParameters("fanned_out")).isPositive();
        assertThat(plansForAnyParameters("settled")).isPositive();
    }

    @Test
    void storeWhenSubscribersAreKnownThenVerifiesByIds() {
        assumeThat(database.dialect()).isEqualTo(SqlDialect.POSTGRESQL);
        EventStore events = EventStore.of(database, TABLES, Set::of, new SecureRandom());
        events.store(event(20 * RUNS, 0)); // remembers them
        plans.begin();
        for (int i = 1; i <= RUNS; i++) {
            assertThat(events.store(event(20 * RUNS + i, 0)).deliveries()).hasSize(SUBSCRIBERS_OF_A_TYPE);
        }

        assertThatPlansUse(
                primaryKey("_credential_webhook_subscriptions"), primaryKey("_credential_webhook_endpoints"));
        assertThat(plansForAnyParameters("bit_xor")).isPositive();
    }

    @Test
    void storeAndSettleWhenBatchedThenRowsAreNotCompared() {
        assumeThat(database.dialect()).isEqualTo(SqlDialect.POSTGRESQL);
        EventStore events = EventStore.of(database, TABLES, Set::of, new SecureRandom());
        storeAndSettleOneByOne(3 * RUNS); // so that the plan for any parameters is used, which expects one row
        for (int i = 0; i < RUNS; i++) {
            events.storeAll(List.of(event(6 * RUNS + BATCH + 2 * i), event(6 * RUNS + BATCH + 2 * i + 1)));
        }
        List<Settlement> outcomes = claim(4 * RUNS).subList(0, BATCH).stream()
                .map(StatementPlansIT::delivered)
                .toList();
        List<NewEvent> batch =
                IntStream.range(0, BATCH).mapToObj(i -> event(5 * RUNS + i)).toList();
        long storedBefore = plansForAnyParameters("given");
        long settledBefore = plansForAnyParameters("settled");
        plans.begin();

        events.storeAll(batch);
        queue.settle(outcomes);

        assertThat(plans.end())
                .hasSize(2)
                .noneMatch(plan -> COMPARES_BATCH_WITH_ITSELF.matcher(plan).find());
        assertThat(plansForAnyParameters("given")).isGreaterThan(storedBefore);
        assertThat(plansForAnyParameters("settled")).isGreaterThan(settledBefore);
    }

    /** @param first the first run of the claims, and the number of the first event */
    private void storeAndSettleOneByOne(int first) {
        EventStore events = EventStore.of(database, TABLES, Set::of, new SecureRandom());
        List<ClaimedDelivery> claimed = claim(first);
        for (int i = 0; i < RUNS; i++) {
            events.store(event(first + i));
            queue.settle(List.of(delivered(claimed.get(i))));
        }
    }

    private static Settlement delivered(ClaimedDelivery delivery) {
        return Settlement.delivered(
                delivery,
                0,
                new AttemptLog(0, 0, "X-Webhook-Attempt: 1", new StoredResponse(200, null, null, null), null));
    }

    private static NewEvent event(int number) {
        return event(number, number);
    }

    private static NewEvent event(int number, int type) {
        String id = "%024x00000000".formatted(number);
        return new NewEvent(
                new Event(id, "event-" + type, null, false, null, null, Payload.of("{}", 2), null, 3_000_000), null);
    }

    /** Returns how often statements of this thread's connection ran without being planned for their parameters. */
    private long plansForAnyParameters(String part) {
        return database.jdbc()
                .sql(
                        "SELECT coalesce(sum(generic_plans), 0) FROM pg_prepared_statements WHERE strpos(statement, :part) > 0")
                .param("part", part)
                .query(Long.class)
                .single();
    }

    private void assertThatPlansUse(String... indexes) {
        List<String> noted = plans.end();
        assertThat(noted).hasSizeGreaterThanOrEqualTo(RUNS);
        assertThat(noted).noneMatch(plan -> SCANS_ALL.matcher(plan).find());
        assertThat(String.join("\n", noted)).contains(indexes);
    }

    private String primaryKey(String table) {
        return switch (database.dialect()) {
            case POSTGRESQL -> table + "_pkey";
            case SQLITE -> "sqlite_autoindex_" + table + "_1";
        };
    }

    /** Goes round the endpoints, a few at a time. */
    private List<ClaimedDelivery> claim(int firstRun) {
        List<ClaimedDelivery> claimed = new ArrayList<>();
        for (int i = firstRun; i < firstRun + RUNS; i++) {
            List<DeliveryQueue.Quota> quotas = new ArrayList<>();
            for (int quota = 0; quota < ENDPOINTS_OF_A_CLAIM; quota++) {
                int endpoint = (ENDPOINTS_OF_A_CLAIM * i + quota) % (ENDPOINTS - 1);
                quotas.add(new DeliveryQueue.Quota("endpoint-" + endpoint, 0, BATCH / ENDPOINTS_OF_A_CLAIM));
            }
            claimed.addAll(queue.claim(quotas, CLAIM));
        }
        return claimed;
    }
}
