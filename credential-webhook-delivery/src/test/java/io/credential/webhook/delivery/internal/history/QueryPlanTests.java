package io.credential.webhook.delivery.internal.history;

import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.audit.AuditSink;
import io.credential.audit.internal.AuditTrail;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.delivery.internal.outbox.EventIdGenerator;
import io.credential.webhook.delivery.internal.queue.DeathReporter;
import io.credential.webhook.delivery.internal.queue.OperationalEvents;

import static io.credential.webhook.delivery.DeliveryStatus.DEAD;
import static io.credential.webhook.delivery.DeliveryStatus.DELIVERED;
import static io.credential.webhook.delivery.DeliveryStatus.IN_FLIGHT;
import static io.credential.webhook.delivery.DeliveryStatus.PENDING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Among much that was delivered, PostgreSQL finds what is asked for by an index. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueryPlanTests {

    /** From here on PostgreSQL compiles a statement to machine code, which takes longer than any of these may. */
    private static final double JIT_ABOVE_COST = 100_000;

    /** After the deliveries of the first 500 events. */
    private static final String LAST_OF_BATCH = EventIdGenerator.timePrefix(1767225600000L + 501);

    private TestDatabase test;
    private DispatcherRows rows;
    private DeliverySearch search;

    /** Two deliveries for each event. More are open than a search examines, and few are dead. */
    @BeforeAll
    void aHundredThousandDeliveries() {
        test = TestDatabase.create(DatabaseKind.POSTGRESQL);
        rows = new DispatcherRows(test);
        search = new DeliverySearch(rows.database, rows.tables);
        insert("""
                        INSERT INTO {events} (event_id, event_type, payload, created_at)
                        SELECT lpad(to_hex(1767225600000 + n), 12, '0') || substr(md5(n::text), 1, 20), 'order.paid',
                            '{}', 1767225600000 + n
                        FROM generate_series(1, 50000) n""");
        insert("""
                        INSERT INTO {deliveries} (delivery_id, event_id, endpoint_id, status, attempts, next_attempt_at,
                            delivered_at, dead_at, created_at)
                        SELECT substr(event_id, 1, 24) || 1000000 || m, event_id, 'endpoint-' || mod(n, 50),
                            status, 1, created_at,
                            CASE status WHEN 'delivered' THEN created_at END,
                            CASE status WHEN 'dead' THEN created_at END, created_at
                        FROM (SELECT event_id, created_at, n, CASE WHEN mod(n, 10) = 7 THEN 'pending'
                                WHEN mod(n, 200) = 101 THEN 'in-flight' WHEN mod(n, 200) = 50 THEN 'dead'
                                ELSE 'delivered' END AS status
                              FROM (SELECT event_id, created_at, row_number() OVER (ORDER BY event_id) AS n FROM {events}) e) e,
                            generate_series(1, 2) m""");
        rows.sql("ANALYZE").update();
    }

    /** However long it takes. */
    private void insert(String sql) {
        JdbcClient.create(test.dataSource()).sql(rows.tables.in(sql)).update();
    }

    @AfterAll
    void close() {
        test.close();
    }

    static Stream<Arguments> lists() {
        DeliveryQuery all = DeliveryQuery.all();
        DeliveryQuery one = all.withEndpoint("endpoint-7");
        return Stream.of(
                arguments(all, "_credential_webhook_deliveries_pkey"),
                arguments(all.withEventType("order.paid"), "_credential_webhook_deliveries_pkey"),
                arguments(all.withResponseStatus(500), "_credential_webhook_deliveries_pkey"),
                arguments(all.withEvent("00".repeat(16)), "_credential_webhook_deliveries_pkey"),
                arguments(all.withStatus(DELIVERED), "_credential_webhook_deliveries_pkey"),
                arguments(all.withStatus(DEAD), "_credential_webhook_deliveries_dead"),
                arguments(one, "_credential_webhook_deliveries_by_endpoint"),
                arguments(one.withEventType("order.paid"), "_credential_webhook_deliveries_by_endpoint"),
                arguments(one.withStatus(DELIVERED), "_credential_webhook_deliveries_by_endpoint"),
                arguments(one.withStatus(DEAD), "_credential_webhook_deliveries_dead"));
    }

    @ParameterizedTest
    @MethodSource("lists")
    void searchThenIsReadByAnIndex(DeliveryQuery query, String index) {
        assertIsReadBy(index, search.newestFirst(query));
    }

    @Test
    void searchForOpenThenIsReadByItsIndex() {
        DeliveryQuery all = DeliveryQuery.all();

        assertIsReadBy("_credential_webhook_deliveries_open", search.openDeliveries(all.withStatus(PENDING)));
        assertIsReadBy(
                "_credential_webhook_deliveries_open",
                search.openDeliveries(all.withStatus(IN_FLIGHT).withEndpoint("endpoint-7")));
    }

    @Test
    void groupsOfDeadThenAreReadByTheirIndex() {
        String count = new DeadLetterCounter(rows.database, rows.tables, DeadLetterCounter.EXAMINED).count;

        assertIsReadBy(
                "_credential_webhook_deliveries_dead",
                rows.sql("EXPLAIN " + count).param("examined", DeadLetterCounter.EXAMINED));
    }

    private void assertIsReadBy(String index, DeliverySearch.Statement statement) {
        assertIsReadBy(index, rows.sql("EXPLAIN " + statement.in(rows.tables)).params(statement.parameters()));
    }

    private static void assertIsReadBy(String index, JdbcClient.StatementSpec explain) {
        List<String> plan = explain.query((row, number) -> row.getString(1)).list();

        assertThat(plan)
                .anyMatch(line -> line.contains(index))
                .noneMatch(line -> line.contains("Seq Scan"))
                .first()
                .satisfies(line -> assertThat(totalCost(line)).isLessThan(JIT_ABOVE_COST));
    }

    @ParameterizedTest
    @MethodSource("retention")
    void retentionThenIsReadByThePrimaryKeysAndCheap(String name) {
        List<String> plan = plan(statement(name));

        assertThat(plan)
                .anyMatch(line -> line.contains("_pkey"))
                .noneMatch(line -> line.contains("Seq Scan"))
                .first()
                .satisfies(line -> assertThat(totalCost(line)).isLessThan(JIT_ABOVE_COST / 10));
    }

    static Stream<String> retention() {
        return Stream.of("visitDeliveries", "removeDeliveries", "visitEvents", "removeEvents", "removeOrphans");
    }

    private String statement(String name) {
        ExpiredDeliveryRemover retention = new ExpiredDeliveryRemover(rows.database, rows.tables);
        return switch (name) {
            case "visitDeliveries" -> retention.visitDeliveries;
            case "removeDeliveries" -> retention.removeDeliveries;
            case "visitEvents" -> retention.visitEvents;
            case "removeEvents" -> retention.removeEvents;
            default -> new OrphanRemover(rows.database, rows.tables).removeEvents;
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"visit", "findOpen", "findInFlight", "findUnmarked", "lockUnmarked"})
    void erasureThenIsReadByThePrimaryKeysAndCheap(String name) {
        List<String> plan = plan(
                switch (name) {
                    case "visit" -> PayloadEraser.VISIT;
                    case "findOpen" -> EventEraser.FIND_OPEN;
                    case "findInFlight" -> EventEraser.FIND_IN_FLIGHT;
                    case "findUnmarked" -> EventEraser.FIND_UNMARKED;
                    default -> eraser().lockUnmarked;
                },
                LAST_OF_BATCH);

        assertThat(plan)
                .noneMatch(line -> line.contains("Seq Scan"))
                .first()
                .satisfies(line -> assertThat(totalCost(line)).isLessThan(JIT_ABOVE_COST / 10));
    }

    private EventEraser eraser() {
        AuditTrail audit = new AuditTrail(AuditSink.none(), () -> null, InstantSource.system(), "", true, true);
        return new EventEraser(
                rows.context(InstantSource.system()),
                new DeathReporter(rows.database, OperationalEvents.NONE, audit),
                PayloadEraser.BATCH);
    }

    private List<String> plan(String sql) {
        return plan(sql, "g");
    }

    private List<String> plan(String sql, String past) {
        List<String> batch = rows.sql("SELECT event_id FROM {events} ORDER BY event_id LIMIT 500")
                .query((row, index) -> row.getString(1))
                .list();
        return rows.sql("EXPLAIN " + sql)
                .param("after", "")
                .param("afterDelivery", batch.get(0).substring(0, 24))
                .param("last", batch.get(499))
                .param("past", past)
                .param("before", Long.MAX_VALUE)
                .param("eventIds", batch)
                .param("limit", 100)
                .query((row, index) -> row.getString(1))
                .list();
    }

    private static double totalCost(String line) {
        return Double.parseDouble(line.replaceFirst("^.*\\.\\.([0-9.]+) rows=.*$", "$1"));
    }
}
