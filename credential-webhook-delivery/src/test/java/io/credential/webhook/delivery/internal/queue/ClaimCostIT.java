package io.credential.webhook.delivery.internal.queue;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.testing.DatabaseKind;
import io.credential.testing.PlanRecorder;
import io.credential.webhook.delivery.DispatcherNode;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.internal.queue.DeliveryQueue.Quota;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The cost of a claim, a scan or a removal depends on what it takes, not on the backlog of its endpoints: PostgreSQL
 * follows the index, even if its statistics say that hardly anything is pending.
 */
class ClaimCostIT {

    private static final int ENDPOINTS = 5;
    private static final int DELIVERIES = 20_000;
    private static final int TAKEN = 20;

    /** A claim touches about fifteen for each delivery. Reading the backlog of each endpoint would touch many thousands. */
    private static final int MAX_PAGES = 3000;

    private static final Pattern SORTS_BACKLOG = Pattern.compile("Sort Key: .*next_attempt_at");

    private final PlanRecorder plans = PlanRecorder.open(DatabaseKind.POSTGRESQL);
    private final JdbcClient jdbc = JdbcClient.create(plans.database().dataSource());
    private final JdbcWebhookDispatcher dispatcher = DispatcherNode.builder(
                    plans.database(), DispatcherNode.arguments("", "0f".repeat(32)))
            .build();

    @BeforeEach
    void storeBacklogThatStatisticsDoNotKnow() {
        dispatcher.declareSchema();
        jdbc.sql("ALTER TABLE _credential_webhook_deliveries SET (autovacuum_enabled = off)")
                .update();
        insert("in-flight", DELIVERIES);
        jdbc.sql("ANALYZE").update();
        insert("pending", 0);
        plans.begin();
    }

    @AfterEach
    void close() {
        dispatcher.close();
        plans.close();
    }

    @Test
    void claimThenTouchesFewPages() {
        List<Quota> quotas = IntStream.range(0, ENDPOINTS)
                .mapToObj(i -> new Quota("endpoint-" + i, 0, TAKEN))
                .toList();

        assertThat(queue().claim(quotas, new Claim(7, "node", DELIVERIES, 0))).hasSize(ENDPOINTS * TAKEN);

        assertThatPlansTouchFewPages();
    }

    @Test
    void scanThenTouchesFewPages() {
        assertThat(queue().scan(DELIVERIES).dueAts()).hasSize(ENDPOINTS);

        assertThatPlansTouchFewPages();
    }

    @Test
    void removeEndpointThenDoesNotSortItsBacklog() {
        dispatcher.registerEndpoint(EndpointRegistration.of("endpoint-1", "http://127.0.0.1/", "a secret", "event"));

        assertThat(dispatcher.removeEndpoint("endpoint-1")).isTrue();

        assertThat(plans.end())
                .filteredOn(plan -> plan.contains("SET status = 'dead'"))
                .hasSizeGreaterThan(DELIVERIES / ENDPOINTS / 500)
                .noneMatch(plan -> SORTS_BACKLOG.matcher(plan).find());
    }

    private DeliveryQueue queue() {
        return DeliveryQueue.of(plans.database(), DispatcherRows.DEFAULT_TABLES, 8192);
    }

    private void assertThatPlansTouchFewPages() {
        assertThat(plans.end())
                .hasSize(1)
                .allSatisfy(
                        plan -> assertThat(PlanRecorder.pages(plan)).as(plan).isBetween(1, MAX_PAGES));
    }

    /** @param after the deliveries are due in the milliseconds after this one */
    private void insert(String status, int after) {
        for (String row : List.of(
                "events (event_id, event_type, payload, created_at) SELECT 'event-' || n, 'event', '{}', 0",
                """
                deliveries (delivery_id, event_id, endpoint_id, status, attempts, next_attempt_at, created_at)
                SELECT 'delivery-' || n, 'event-' || n, 'endpoint-' || n %% %d, '%s', 0, n, 0""".formatted(ENDPOINTS, status))) {
            jdbc.sql("INSERT INTO _credential_webhook_%s FROM generate_series(%d, %d) n"
                            .formatted(row, after + 1, after + DELIVERIES))
                    .update();
        }
    }
}
