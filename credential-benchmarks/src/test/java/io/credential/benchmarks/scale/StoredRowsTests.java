package io.credential.benchmarks.scale;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.LocalDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

class StoredRowsTests {

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void logThenStoresDeliveriesOfEachStatus(boolean postgres) throws Exception {
        try (BenchmarkDatabase database = postgres ? BenchmarkDatabase.postgres() : BenchmarkDatabase.sqlite()) {
            createTables(database);
            (postgres ? StoredRows.POSTGRES : StoredRows.SQLITE).log(database, 1000);

            assertThat(statuses(database)).isEqualTo(Map.of("pending", 20, "dead", 100, "delivered", 1880));
            assertThat(count(database, "select count(distinct endpoint_id) from _credential_webhook_deliveries"))
                    .isEqualTo(1000);
            assertThat(count(database, "select count(distinct event_type) from _credential_webhook_events"))
                    .isEqualTo(20);
        }
    }

    @Test
    void backlogWhenStoredAgainThenEachEventHasOneDelivery() throws Exception {
        try (BenchmarkDatabase database = BenchmarkDatabase.postgres()) {
            createTables(database);
            StoredRows.backlog(database, 30, 1, 10, 100);
            StoredRows.backlog(database, 20, 1, 10, 100);

            assertThat(statuses(database)).isEqualTo(Map.of("pending", 50));
            assertThat(count(database, "select count(distinct event_id) from _credential_webhook_deliveries"))
                    .isEqualTo(50);
        }
    }

    private static void createTables(BenchmarkDatabase database) {
        new LocalDispatcher(database.open(), List.of(URI.create("http://127.0.0.1:9/"))).close();
    }

    private static Map<String, Integer> statuses(BenchmarkDatabase database) {
        return JdbcClient.create(database.control())
                .sql("select status, count(*) as number from _credential_webhook_deliveries group by status")
                .query((row, index) -> Map.entry(row.getString(1), row.getInt(2)))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static int count(BenchmarkDatabase database, String query) {
        return JdbcClient.create(database.control())
                .sql(query)
                .query(Integer.class)
                .single();
    }
}
