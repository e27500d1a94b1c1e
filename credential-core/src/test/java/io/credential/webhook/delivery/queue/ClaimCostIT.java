package io.credential.webhook.delivery.queue;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.SchemaMigrator;
import io.credential.storage.SchemaMode;
import io.credential.testing.DatabaseKind;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.delivery.PlanRecorder;
import io.credential.webhook.delivery.queue.ClaimRequest.Turn;

import static org.assertj.core.api.Assertions.assertThat;

/** A claim costs by what it takes, and not by how much its endpoints have to do. */
class ClaimCostIT {

    private static final int ENDPOINTS = 20;
    private static final int DELIVERIES = 20_000;
    private static final int TAKEN = 5;

    /** What a claim of a few deliveries of each endpoint touches, generously; their backlog fills ten times as many. */
    private static final int MAX_PAGES = 2000;

    private static final DispatcherTables TABLES = DispatcherRows.DEFAULT_TABLES;

    private final PlanRecorder plans = PlanRecorder.open(DatabaseKind.POSTGRESQL);
    private final JdbcClient jdbc = plans.database().jdbc();
    private final DeliveryQueue queue = DeliveryQueue.of(plans.database(), TABLES, 8192);

    @BeforeEach
    void createTables() {
        new SchemaMigrator(plans.database(), TABLES.scripts(plans.database().dialect())).run(SchemaMode.MIGRATE);
    }

    @AfterEach
    void close() {
        plans.close();
    }

    @Test
    void aClaimAndALookTouchFewPagesThoughStatisticsSayThatHardlyAnythingIsOpen() {
        insert("'delivered', 1", 0);
        jdbc.sql("UPDATE _credential_webhook_deliveries SET status = 'pending', delivered_at = NULL"
                        + " WHERE next_attempt_at <= 100")
                .update();
        jdbc.sql("ANALYZE").update();
        insert("'pending', NULL", DELIVERIES);
        List<Turn> turns = IntStream.range(0, ENDPOINTS)
                .mapToObj(i -> new Turn("endpoint-" + i, 0, TAKEN))
                .toList();

        plans.begin();
        queue.look(Long.MAX_VALUE);
        queue.claim(new ClaimRequest(new Claim(7, "node", Long.MAX_VALUE, 0), turns));

        assertThat(plans.end())
                .hasSize(2)
                .allSatisfy(
                        plan -> assertThat(PlanRecorder.pages(plan)).as(plan).isBetween(1, MAX_PAGES));
    }

    private void insert(String state, int after) {
        jdbc.sql("""
                INSERT INTO _credential_webhook_deliveries (delivery_id, event_id, endpoint_id, status, delivered_at,
                    attempts, next_attempt_at, created_at)
                SELECT 'delivery-' || n, 'event-' || n, 'endpoint-' || n %% %d, %s, 0, n, 0
                FROM generate_series(%d, %d) n""".formatted(ENDPOINTS, state, after + 1, after + DELIVERIES)).update();
    }
}
