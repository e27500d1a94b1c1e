package io.credential.storage;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.delivery.queue.DispatcherTables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/** Whoever runs the SQL gets what Flyway makes. */
class ManualMigrationTests {

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
    private final TestDatabase ours = TestDatabase.create(DatabaseKind.POSTGRESQL);

    @AutoClose
    private final TestDatabase flyways = TestDatabase.create(DatabaseKind.POSTGRESQL);

    static Stream<Named<SchemaScripts>> scripts() {
        return Stream.of(
                Named.of("common", SchemaScripts.COMMON),
                Named.of("dispatcher", DispatcherRows.DEFAULT_TABLES.scripts(SqlDialect.POSTGRESQL)),
                Named.of(
                        "names",
                        DispatcherTables.named("Shop_endpoints", "Shop_deliveries")
                                .scripts(SqlDialect.POSTGRESQL)));
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void sqlWhenEmptyThenMakesWhatFlywayMakes(SchemaScripts scripts) throws SQLException {
        migrator(flyways, scripts).run(SchemaMode.MIGRATE);

        execute(scripts.sql(null));

        for (String query : List.of(history(scripts), COLUMNS, TABLES, INDEXES, CONSTRAINTS)) {
            assertThat(rows(ours, query)).isEqualTo(rows(flyways, query)).isNotEmpty();
        }
    }

    @Test
    void sqlWhenUserIsGivenThenGrantsWhatItNeeds() {
        assertThat(SchemaScripts.COMMON.sql("o\"brien"))
                .contains(
                        "grant select on \"_credential_schema_history\" to \"o\"\"brien\";",
                        "grant select, insert on _credential_audit_log to \"o\"\"brien\";",
                        "grant select, insert, update, delete on _credential_api_keys to \"o\"\"brien\";");
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void sqlWhenOlderThenRunsWhatIsMissing(SchemaScripts scripts) throws SQLException {
        migrator(ours, scripts).configuration().target("1").load().migrate();

        execute(scripts.sql(null));

        assertThatNoException().isThrownBy(() -> migrator(ours, scripts).run(SchemaMode.VALIDATE));
    }

    @Test
    void sqlWhenCurrentThenChangesNothing() throws SQLException {
        migrator(ours, SchemaScripts.COMMON).run(SchemaMode.MIGRATE);
        List<Map<String, @Nullable Object>> before = rows(ours, "select * from _credential_schema_history");

        execute(SchemaScripts.COMMON.sql(null));

        assertThat(rows(ours, "select * from _credential_schema_history")).isEqualTo(before);
    }

    private static SchemaMigrator migrator(TestDatabase database, SchemaScripts scripts) {
        return new SchemaMigrator(CredentialDatabase.of(database.dataSource()), scripts);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(ours.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String history(SchemaScripts scripts) {
        return "select installed_rank, version, description, type, script, checksum, installed_by, success from \""
                + scripts.historyTable() + "\" order by installed_rank";
    }

    private static List<Map<String, @Nullable Object>> rows(TestDatabase database, String query) {
        return CredentialDatabase.of(database.dataSource())
                .jdbc()
                .sql(query)
                .query()
                .listOfRows();
    }
}
