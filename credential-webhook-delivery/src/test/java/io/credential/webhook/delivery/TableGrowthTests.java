package io.credential.webhook.delivery;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.MutableClock;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When as many deliveries expire as are stored, the tables and their indexes keep their size. {@code
 * credential-benchmarks/dispatcher soak} observes the same for half an hour, with autovacuum.
 */
class TableGrowthTests {

    private static final int EARLY_ROUNDS = 6;
    private static final int LATER_ROUNDS = 12;
    private static final int EVENTS = 20;
    private static final int ENDPOINTS = 20;
    private static final Duration ROUND = Duration.ofMinutes(1);
    private static final List<String> TABLES =
            List.of("_credential_webhook_deliveries", "_credential_webhook_events", "_credential_webhook_attempts");

    @AutoClose
    private final TestDatabase test = TestDatabase.create(DatabaseKind.POSTGRESQL);

    private final CredentialDatabase database = test.database();
    private final JdbcClient jdbc = JdbcClient.create(database.dataSource());
    private final MutableClock clock = MutableClock.atNewYear();

    @AutoClose
    private final JdbcWebhookDispatcher dispatcher = DispatcherFixture.withoutHttp(database, clock)
            .batchSize(EVENTS * ENDPOINTS)
            .retention(ROUND.multipliedBy(2))
            .build();

    /** By a few pages they may differ. Rows or index entries that stay behind would make them several times as large. */
    @Test
    void tablesWhenAsMuchExpiresThenKeepTheirSize() {
        dispatcher.declareSchema();
        for (int i = 0; i < ENDPOINTS; i++) {
            dispatcher.registerEndpoint(
                    EndpointRegistration.of("e" + i, "http://127.0.0.1/", DispatcherFixture.SECRET, "*"));
        }

        deliverAndClean(EARLY_ROUNDS);
        List<Long> early = sizes();
        deliverAndClean(LATER_ROUNDS);

        List<Long> later = sizes();
        for (int table = 0; table < TABLES.size(); table++) {
            assertThat(later.get(table)).as("%s of %s", later, TABLES).isLessThan(early.get(table) * 5 / 4);
        }
    }

    private void deliverAndClean(int rounds) {
        for (int i = 0; i < rounds; i++) {
            clock.advance(ROUND);
            database.inTransaction(() -> {
                for (int event = 0; event < EVENTS; event++) {
                    dispatcher.enqueue("event", "{}");
                }
                return null;
            });
            assertThat(dispatcher.processRetries().delivered()).isEqualTo(EVENTS * ENDPOINTS);
            dispatcher.removeExpired();
            TABLES.forEach(table -> jdbc.sql("VACUUM " + table).update()); // as autovacuum does, but at a known time
        }
    }

    private List<Long> sizes() {
        return TABLES.stream()
                .map(table -> jdbc.sql("SELECT pg_total_relation_size('" + table + "')")
                        .query(Long.class)
                        .single())
                .toList();
    }
}
