package io.credential.storage.internal;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.storage.SchemaException;
import io.credential.storage.SchemaMode;
import io.credential.storage.internal.sqlite.SqliteDataSource;
import io.credential.testing.CapturedLog;
import io.credential.testing.DatabaseKind;
import io.credential.testing.InParallel;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Each test has its own empty database. */
@ParameterizedClass
@EnumSource
class SchemaMigratorTests {

    private static final int NODES = 4;
    private static final String LATEST = "V9_2__key_checks.sql";

    private static final SchemaScripts FIRST = SchemaScripts.of("io/credential/storage/first", "_credential_first");

    private static final SchemaScripts SECOND = SchemaScripts.of("io/credential/storage/second", "_credential_second");
    private static final SchemaScripts ALL = SchemaScripts.CORE.and(FIRST).and(SECOND);

    private final DatabaseKind kind;
    private TestDatabase testDatabase;
    private JdbcTemplate jdbc;

    SchemaMigratorTests(DatabaseKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void create() {
        testDatabase = TestDatabase.create(kind);
        jdbc = new JdbcTemplate(testDatabase.dataSource());
    }

    @AfterEach
    void close() {
        testDatabase.close();
    }

    @Test
    void migrateWhenEmptyThenCreatesEveryTable() throws SQLException {
        run(SchemaMode.MIGRATE);

        Set<String> tables =
                new TreeSet<>(Set.of("_credential_leases", "_credential_key_checks", "_credential_schema_history"));
        if (testDatabase.kind() == DatabaseKind.POSTGRESQL) {
            tables.add("_credential_cluster_keys");
        }
        assertThat(ourTables()).containsExactlyInAnyOrderElementsOf(tables);
    }

    @Test
    void migrateWhenCurrentThenChangesNothing() {
        run(SchemaMode.MIGRATE);
        List<@Nullable String> before = history();

        run(SchemaMode.MIGRATE);

        assertThat(history()).isEqualTo(before);
    }

    @Test
    void migrateWhenOlderThenKeepsItsRows() {
        migrateToFirstVersion();
        jdbc.update("insert into _credential_leases (name, holder, epoch, expires_at) values ('a', 'b', 1, 1)");

        run(SchemaMode.MIGRATE);

        assertThat(history()).contains(LATEST);
        assertThat(jdbc.queryForObject("select count(*) from _credential_leases", Integer.class))
                .isOne();
    }

    @Test
    void migrateWhenProductsAreAddedThenOrderDoesNotMatter() throws SQLException {
        run(SchemaScripts.CORE, SchemaMode.MIGRATE);
        run(SchemaScripts.CORE.and(SECOND), SchemaMode.MIGRATE);
        run(ALL, SchemaMode.MIGRATE);
        List<String> tables = ourTables();
        List<@Nullable String> scripts = history();
        assertThat(tables).contains("_credential_first", "_credential_second");

        testDatabase.close();
        create();
        run(FIRST.and(SchemaScripts.CORE), SchemaMode.MIGRATE);
        run(ALL, SchemaMode.MIGRATE);

        assertThat(ourTables()).isEqualTo(tables);
        assertThat(history()).containsExactlyInAnyOrderElementsOf(scripts);
    }

    @ParameterizedTest
    @EnumSource
    void runWhenProductsAreRemovedThenKeepsTheirTables(SchemaMode mode) throws SQLException {
        run(ALL, SchemaMode.MIGRATE);

        run(SchemaScripts.CORE, mode);

        assertThat(ourTables()).contains("_credential_first", "_credential_second");
    }

    @Test
    void runWhenNothingIsNewThenFlywayIsNotNeeded() {
        run(SchemaScripts.CORE, SchemaMode.MIGRATE);
        run(ALL, SchemaMode.MIGRATE);

        try (CapturedLog log = CapturedLog.of("org.flywaydb")) {
            run(ALL, SchemaMode.MIGRATE);
            run(SchemaScripts.CORE, SchemaMode.VALIDATE);

            assertThat(log.lines()).isEmpty();
        }
    }

    @Test
    void validateWhenProductIsAddedThenNamesItsScripts() {
        run(SchemaScripts.CORE, SchemaMode.MIGRATE);

        assertThatExceptionOfType(SchemaException.class)
                .isThrownBy(() -> run(ALL, SchemaMode.VALIDATE))
                .satisfies(e -> assertThat(e.missingScripts()).containsExactly("V1__first.sql", "V2__second.sql"));
    }

    /** SQLite needs one connection. */
    @Test
    void migrateWhenPoolHasOneConnectionThenSaysSo() {
        try (HikariDataSource pool = poolOfAnotherNode()) {
            pool.setMaximumPoolSize(1);
            pool.setConnectionTimeout(250);
            SchemaMigrator migrator = new SchemaMigrator(CredentialDatabase.of(pool), SchemaScripts.CORE);

            if (kind == DatabaseKind.SQLITE) {
                assertThatNoException().isThrownBy(() -> migrator.run(SchemaMode.MIGRATE));
            } else {
                assertThatThrownBy(() -> migrator.run(SchemaMode.MIGRATE))
                        .isInstanceOf(SchemaException.class)
                        .hasMessageContaining("at least two connections");
            }
        }
    }

    @Test
    void migrateWhenTablesAndHistoryAreForeignThenLeftAlone() {
        jdbc.execute("create table orders (id bigint primary key)");
        jdbc.execute("create table flyway_schema_history (version text)");
        jdbc.update("insert into flyway_schema_history values ('42')");

        run(SchemaMode.MIGRATE);

        assertThat(jdbc.queryForList("select version from flyway_schema_history", String.class))
                .containsExactly("42");
        assertThat(history()).contains(LATEST);
        assertThat(jdbc.queryForObject("select count(*) from orders", Integer.class))
                .isZero();
    }

    @Test
    void migrateWhenNodesStartAtOnceThenEachScriptRunsOnce() {
        InParallel.run(NODES, () -> {
            try (HikariDataSource node = poolOfAnotherNode()) {
                new SchemaMigrator(CredentialDatabase.of(node), SchemaScripts.CORE).run(SchemaMode.MIGRATE);
            }
            return null;
        });

        assertThat(history()).doesNotHaveDuplicates().contains(LATEST);
    }

    @Test
    void migrateWhenAScriptWasAlteredAfterItRanThenRefused() {
        run(SchemaMode.MIGRATE);
        jdbc.update("update _credential_schema_history set checksum = 1 where version = '9'");

        assertThatThrownBy(() -> run(SchemaMode.MIGRATE)).isInstanceOf(SchemaException.class);
        assertThatThrownBy(() -> run(SchemaMode.VALIDATE))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("version 9");
    }

    @Test
    void migrateWhenAScriptHasFailedThenRefused() {
        run(SchemaMode.MIGRATE);
        jdbc.update("update _credential_schema_history set success = false where script = ?", LATEST);

        assertThatExceptionOfType(SchemaException.class).isThrownBy(() -> run(SchemaMode.MIGRATE));
    }

    @Test
    void validateWhenCurrentThenPasses() {
        run(SchemaMode.MIGRATE);

        assertThatNoException().isThrownBy(() -> run(SchemaMode.VALIDATE));
    }

    @Test
    void validateWhenEmptyThenNamesScriptsAndCreatesNothing() throws SQLException {
        assertThatThrownBy(() -> run(SchemaMode.VALIDATE))
                .isInstanceOfSatisfying(
                        SchemaException.class,
                        e -> assertThat(e.missingScripts())
                                .startsWith("V9__leases.sql")
                                .endsWith(LATEST))
                .hasMessageContaining(LATEST)
                .hasMessageContaining("credential.storage.schema=migrate");

        assertThat(ourTables()).isEmpty();
    }

    @Test
    void validateWhenOlderThenNamesTheScriptsThatAreMissing() {
        migrateToFirstVersion();

        assertThatThrownBy(() -> run(SchemaMode.VALIDATE))
                .isInstanceOfSatisfying(
                        SchemaException.class,
                        e -> assertThat(e.missingScripts())
                                .doesNotContain("V9__leases.sql")
                                .contains(LATEST));
    }

    @Test
    void runWhenSchemaIsOfANewerReleaseThenPasses() {
        run(SchemaMode.MIGRATE);
        jdbc.update("insert into _credential_schema_history (installed_rank, version, description, type, script, "
                + "installed_by, execution_time, success) values (99, '99', 'later', 'SQL', 'V99__later.sql', 'x', 1, "
                + "true)");

        assertThatNoException().isThrownBy(() -> run(SchemaMode.VALIDATE));
        assertThatNoException().isThrownBy(() -> run(SchemaMode.MIGRATE));
        assertThat(unknownScripts()).containsExactly("V99__later.sql");
    }

    /** Its number is between those of the known scripts. */
    @Test
    void unknownScriptsWhenFeatureHasANewerScriptThenNamed() {
        run(ALL, SchemaMode.MIGRATE);
        jdbc.update("update _credential_schema_history set version = '1.5', script = 'V1_5__later.sql', checksum = 1"
                + " where version = '2'");

        assertThat(new SchemaMigrator(CredentialDatabase.of(testDatabase.dataSource()), ALL).unknownScripts())
                .containsExactly("V1_5__later.sql");
    }

    @Test
    void unknownScriptsWhenCurrentOrEmptyThenNone() {
        assertThat(unknownScripts()).isEmpty();
        run(SchemaMode.MIGRATE);
        assertThat(unknownScripts()).isEmpty();
    }

    @Test
    void noneWhenEmptyThenLooksAtNothing() throws SQLException {
        run(SchemaMode.NONE);

        assertThat(ourTables()).isEmpty();
    }

    @Test
    void migrateThenPoolGetsConnectionsBackAsTheyWere() throws SQLException {
        run(SchemaMode.MIGRATE);

        try (Connection connection = testDatabase.dataSource().getConnection()) {
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(connection.isReadOnly()).isFalse();
        }
        assertThat(testDatabase.dataSource().getHikariPoolMXBean().getActiveConnections())
                .isZero();
    }

    private List<String> unknownScripts() {
        return new SchemaMigrator(CredentialDatabase.of(testDatabase.dataSource()), SchemaScripts.CORE)
                .unknownScripts();
    }

    private void run(SchemaMode mode) {
        run(SchemaScripts.CORE, mode);
    }

    private void run(SchemaScripts scripts, SchemaMode mode) {
        new SchemaMigrator(CredentialDatabase.of(testDatabase.dataSource()), scripts).run(mode);
    }

    /** Shares nothing with the other pools but the database. */
    private HikariDataSource poolOfAnotherNode() {
        return switch (kind) {
            case POSTGRESQL -> {
                HikariDataSource pool = new HikariDataSource();
                pool.setJdbcUrl(testDatabase.jdbcUrl());
                pool.setMaximumPoolSize(3);
                yield pool;
            }
            case SQLITE ->
                SqliteDataSource.pooled(Path.of(testDatabase.jdbcUrl().substring("jdbc:sqlite:".length())));
        };
    }

    private void migrateToFirstVersion() {
        new SchemaMigrator(CredentialDatabase.of(testDatabase.dataSource()), SchemaScripts.CORE)
                .configuration()
                .target("9")
                .load()
                .migrate();
    }

    /** The scripts that ran, in their order. */
    private List<@Nullable String> history() {
        return jdbc.queryForList(
                "select script from _credential_schema_history where type = 'SQL' order by installed_rank",
                String.class);
    }

    private List<String> ourTables() throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Connection connection = testDatabase.dataSource().getConnection();
                ResultSet rows =
                        connection.getMetaData().getTables(null, null, "_credential_%", new String[] {"TABLE"})) {
            while (rows.next()) {
                tables.add(rows.getString("TABLE_NAME"));
            }
        }
        return tables;
    }
}
