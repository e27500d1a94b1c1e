package io.credential.testing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.credential.storage.SchemaMode;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.SchemaScripts;

import static org.assertj.core.api.Assertions.assertThat;

/** What holds for the scripts of every product. */
public abstract class SchemaContract {

    private static final String COLUMNS = """
            select table_name, column_name, ordinal_position, data_type, character_maximum_length, column_default,
                is_nullable, collation_name
            from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position""";

    private static final String TABLES = """
            select relname, relpersistence, array_to_string(reloptions, ' ') as options
            from pg_class where relnamespace = 'public'::regnamespace order by relname""";

    private static final String INDEXES = """
            select indexname, indexdef from pg_indexes where schemaname = 'public' order by indexname""";

    private static final String CONSTRAINTS = """
            select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as definition
            from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2, 3""";

    @AutoClose
    private final TestDatabase database = TestDatabase.create(DatabaseKind.POSTGRESQL);

    @AutoClose
    private final TestDatabase other = TestDatabase.create(DatabaseKind.POSTGRESQL);

    private final SchemaScripts scripts;

    /** @param scripts for PostgreSQL */
    protected SchemaContract(SchemaScripts scripts) {
        this.scripts = scripts;
    }

    @Test
    public void migrateThenCreatesExactlyItsTables() {
        migrate(scripts, database);

        assertThat(rows(database, "select tablename as name from pg_tables where schemaname = 'public'"))
                .extracting(row -> String.valueOf(row.get("name")))
                .usingElementComparator(String.CASE_INSENSITIVE_ORDER) // only the history is quoted
                .containsAll(scripts.tables())
                .contains(scripts.historyTable())
                .hasSize(scripts.tables().size() + 1);
    }

    /** Whoever runs the SQL gets what Flyway makes. */
    @Test
    public void sqlWhenEmptyThenMakesWhatFlywayMakes() throws SQLException {
        migrate(scripts, database);

        execute(scripts.sql(null), other);

        String history = "select installed_rank, version, description, type, script, checksum, installed_by, success"
                + " from \"" + scripts.historyTable() + "\" order by installed_rank";
        for (String query : List.of(history, COLUMNS, TABLES, INDEXES, CONSTRAINTS)) {
            assertThat(rows(other, query)).isEqualTo(rows(database, query)).isNotEmpty();
        }
    }

    private static void migrate(SchemaScripts scripts, TestDatabase database) {
        new SchemaMigrator(CredentialDatabase.of(database.dataSource()), scripts).run(SchemaMode.MIGRATE);
    }

    private static void execute(String sql, TestDatabase database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<Map<String, @Nullable Object>> rows(TestDatabase database, String query) {
        return CredentialDatabase.of(database.dataSource())
                .jdbc()
                .sql(query)
                .query()
                .listOfRows();
    }
}
