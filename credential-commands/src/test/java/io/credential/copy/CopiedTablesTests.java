package io.credential.copy;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SqlDialect;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DispatcherRows;

import static org.assertj.core.api.Assertions.assertThat;

/** A table that is added to the migrations must be copied, or be named here. */
@BothDatabases
class CopiedTablesTests {

    private final CredentialDatabase database;

    CopiedTablesTests(TestDatabase test) {
        this.database = test.migrate(CopiedTables.ALL_SCRIPTS);
        var unused = new DispatcherRows(test);
    }

    @Test
    void schemaThenEveryTableIsCopiedOrLeftOut() {
        Set<String> expected = new TreeSet<>(
                new CopiedTables(CopiedTables.ALL_SCRIPTS, List.of(DispatcherRows.DEFAULT_TABLES)).names());
        expected.addAll(
                Set.of(CopiedTables.LEASES, "_credential_schema_history", DispatcherRows.DEFAULT_TABLES.history()));
        expected.add("_credential_api_key_tickets"); // they end within minutes
        if (database.dialect() == SqlDialect.POSTGRESQL) {
            expected.add(CopiedTables.CLUSTER_KEYS); // a file belongs to one process
            expected.add("_credential_rate_limits"); // a file counts in memory
        }

        assertThat(CopyFixture.tables(database)).isEqualTo(expected);
    }

    /** The copy sets no sequence to the highest number that it has written. */
    @Test
    void schemaThenNoColumnIsNumberedByDatabase() {
        String generators = database.dialect() == SqlDialect.POSTGRESQL
                ? "SELECT count(*) FROM pg_sequences"
                : "SELECT count(*) FROM sqlite_master WHERE name LIKE '\\_credential%' ESCAPE '\\' AND sql LIKE '%autoincrement%'";

        assertThat(database.jdbc().sql(generators).query(Integer.class).single())
                .isZero();
    }
}
