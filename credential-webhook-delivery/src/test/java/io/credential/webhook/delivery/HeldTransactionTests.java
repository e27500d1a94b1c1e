package io.credential.webhook.delivery;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.credential.testing.DatabaseKind;
import io.credential.testing.MutableClock;
import io.credential.testing.PlanRecorder;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * While a transaction is held open, PostgreSQL keeps the index entries of all deliveries that were settled meanwhile.
 * How many there are must not change what a delivery costs. {@code credential-benchmarks/dispatcher soak held} measures
 * the same for minutes.
 */
class HeldTransactionTests {

    private static final int ROUNDS = 15;
    private static final int DELIVERIES = 100;

    @AutoClose
    private final PlanRecorder plans = PlanRecorder.open(DatabaseKind.POSTGRESQL);

    private final MutableClock clock = MutableClock.atNewYear();

    @AutoClose
    private final JdbcWebhookDispatcher dispatcher = DispatcherFixture.withoutHttp(plans.database(), clock)
            .batchSize(DELIVERIES)
            .maxInFlightPerEndpoint(DELIVERIES)
            .build();

    @Test
    void transactionWhenHeldThenDeliveriesCostNoMore() throws SQLException {
        dispatcher.declareSchema();
        dispatcher.registerEndpoint(EndpointRegistration.of("e", "http://127.0.0.1/", DispatcherFixture.SECRET, "*"));
        deliver();
        List<Integer> claimPages = new ArrayList<>();
        List<Integer> outcomePages = new ArrayList<>();

        try (Connection held = plans.database().dataSource().getConnection()) {
            hold(held);
            for (int round = 0; round < ROUNDS; round++) {
                List<String> noted = deliver();
                claimPages.add(pages(noted, "picked AS"));
                outcomePages.add(pages(noted, "settled AS"));
            }
            held.rollback();
        }

        assertThat(claimPages.get(ROUNDS - 1)).as("pages %s", claimPages).isLessThan(claimPages.get(0) * 3 / 2);
        assertThat(outcomePages.get(ROUNDS - 1)).as("pages %s", outcomePages).isLessThan(outcomePages.get(0) * 2);
    }

    /** Returns the plans. */
    private List<String> deliver() {
        for (int i = 0; i < DELIVERIES; i++) {
            clock.advance(Duration.ofMillis(1));
            dispatcher.enqueue("event", "{}");
        }
        plans.begin();
        assertThat(dispatcher.processRetries().delivered()).isEqualTo(DELIVERIES);
        return plans.end();
    }

    private static void hold(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT count(*) FROM _credential_leases");
        }
    }

    /** Returns how many pages were read by statements that contain a text, from memory or from disk. */
    private static int pages(List<String> plans, String part) {
        return plans.stream()
                .filter(plan -> plan.contains(part))
                .mapToInt(PlanRecorder::pages)
                .sum();
    }
}
