package io.credential.apikey.internal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.credential.apikey.RegistryFixture;
import io.credential.apikey.internal.search.JdbcTermStore;
import io.credential.testing.BothDatabases;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** A page reads a part of one index, in its order. */
@BothDatabases
class SearchPlanTests {

    private final TestDatabase database;
    private final RegistryFixture fixture;

    SearchPlanTests(TestDatabase database) {
        this.database = database;
        this.fixture = new RegistryFixture(database);
    }

    @Test
    void searchWhenOnlyTimesThenIndexOfAges() {
        assertOrder(JdbcKeyPages.SEARCH_ALL, "_credential_api_keys_by_age", Map.of());
    }

    @Test
    void searchWhenOwnerThenIndexOfOwners() {
        insert(1000);
        assertOrder(JdbcKeyPages.SEARCH_OWNER, "_credential_api_keys_by_owner", Map.of("ownerIdHash", "i1.k.00"));
    }

    @Test
    void searchWhenNameOrScopeThenIndexOfTerms() {
        assertOrder(JdbcTermStore.SEARCH, "_credential_api_key_terms", Map.of("term", "i1.k.00"));
    }

    /** Of as many owners. */
    private void insert(int number) {
        fixture.jdbc()
                .sql("""
                        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :number)
                        INSERT INTO _credential_api_keys (namespace, id, prefix, owner_id_hash, owner_id, scopes, metadata,
                            secret_hash, created_at)
                        SELECT :namespace, CAST(10000000 + i AS TEXT), 'bk', CAST(i AS TEXT), '', '', '', '', i
                        FROM n""")
                .param("number", number)
                .param("namespace", fixture.namespace)
                .update();
        fixture.jdbc().sql("ANALYZE _credential_api_keys").update();
    }

    private void assertOrder(String sql, String index, Map<String, ?> more) {
        boolean postgresql = database.kind() == DatabaseKind.POSTGRESQL;
        Map<String, Object> parameters = new HashMap<>(more);
        parameters.putAll(Map.of(
                "namespace",
                fixture.namespace,
                "beforeCreatedAt",
                2000L,
                "beforeId",
                "",
                "createdFrom",
                1L,
                "limit",
                500));
        List<String> plan = fixture.database.inTransaction(() -> {
            if (postgresql) {
                fixture.jdbc().sql("SET LOCAL enable_seqscan = off").update(); // the table is small
            }
            return fixture.jdbc()
                    .sql((postgresql ? "EXPLAIN " : "EXPLAIN QUERY PLAN ") + sql)
                    .params(parameters)
                    .query((row, number) -> row.getString(postgresql ? 1 : 4))
                    .list();
        });

        assertThat(plan)
                .anyMatch(line -> line.contains(index))
                .noneMatch(line -> line.contains("Sort") || line.contains("TEMP B-TREE"));
    }
}
