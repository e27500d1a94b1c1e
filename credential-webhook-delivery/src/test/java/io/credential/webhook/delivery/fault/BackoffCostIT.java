package io.credential.webhook.delivery.fault;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.PlanRecorder;
import io.credential.webhook.delivery.CountingReceiver;
import io.credential.webhook.delivery.DispatcherNode;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.RetryBackoff;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcherBuilder;

import static org.assertj.core.api.Assertions.assertThat;

/** A claim costs by what is due, and not by how many endpoints wait for a retry. */
class BackoffCostIT {

    private static final int ENDPOINTS_IN_BACKOFF = 10_000;
    private static final int ATTEMPTS = 5;

    /** What a claim of one delivery touches, generously: a step to each endpoint would touch tens of thousands. */
    private static final int MAX_BUFFERS = 200;

    private final PlanRecorder plans = PlanRecorder.open(DatabaseKind.POSTGRESQL);
    private final CountingReceiver receiver = new CountingReceiver();
    private JdbcWebhookDispatcher node;

    @BeforeEach
    void start() {
        JdbcWebhookDispatcherBuilder options = DispatcherNode.builder(
                        plans.database(), DispatcherNode.arguments("", "0f".repeat(32), "maxAttempts=" + ATTEMPTS))
                .retryBackoff(new RetryBackoff(Duration.ofMillis(1), Duration.ofMillis(1), 1, 0));
        options.build().declareSchema();
        node = DispatcherNode.started(options);
    }

    @AfterEach
    void close() {
        node.close(Duration.ZERO);
        receiver.close();
        plans.close();
    }

    @Test
    void claimWhenManyAreInBackoffThenTouchesFewPages() {
        JdbcClient jdbc = JdbcClient.create(plans.database().dataSource());
        jdbc.sql("""
                INSERT INTO _credential_webhook_deliveries (delivery_id, event_id, endpoint_id, status, attempts,
                    next_attempt_at, created_at)
                SELECT 'delivery-' || n, 'event', 'endpoint-' || n, 'pending', 1, 4102444800000 + n, 0
                FROM generate_series(1, :endpoints) n""").param("endpoints", ENDPOINTS_IN_BACKOFF).update();
        jdbc.sql("ANALYZE").update();
        receiver.answer("/failing", 500);
        node.registerEndpoint(EndpointRegistration.of("failing", receiver.url("/failing"), "a secret", "event"));

        plans.begin();
        node.enqueue("event", "{}");
        Patience.until(() -> node.dlq().list(10).size() == 1);

        List<String> claims =
                plans.end().stream().filter(plan -> plan.contains("picked AS")).toList();
        assertThat(claims)
                .hasSizeGreaterThanOrEqualTo(ATTEMPTS - 1)
                .allSatisfy(
                        plan -> assertThat(PlanRecorder.pages(plan)).as(plan).isBetween(1, MAX_BUFFERS));
    }
}
