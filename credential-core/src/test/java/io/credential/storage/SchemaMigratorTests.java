package io.credential.storage;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.storage.sqlite.SqliteDataSource;
import io.credential.testing.DatabaseKind;
import io.credential.testing.InParallel;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Each test has its own empty database. */
@ParameterizedClass
@EnumSource
class SchemaMigratorTests {

    private static final int NODES = 4;
    private static final String LATEST = "V5__audit_log.sql";

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

        Set<String> tables = new TreeSet<>(Set.of(
                "_credential_api_keys",
                "_credential_leases",
                "_credential_key_checks",
                "_credential_nonces",
                "_credential_audit_log",
                "_credential_schema_history"));
        if (testDatabase.kind() == DatabaseKind.POSTGRESQL) {
            tables.addAll(Set.of("_credential_cluster_keys", "_credential_rate_limits"));
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
        jdbc.update(
                "insert into _credential_api_keys (namespace, id, prefix, owner_id_hash, owner_id, scopes, metadata, "
                        + "secret_hash, created_at) values ('live', 'a', 'bk', 'h', 'o', 's', 'm', 'x', 1)");

        run(SchemaMode.MIGRATE);

        assertThat(history()).contains(LATEST);
        assertThat(jdbc.queryForObject("select count(*) from _credential_api_keys", Integer.class))
                .isOne();
    }

    /** SQLite needs one connection. */
    @Test
    void migrateWhenPoolHasOneConnectionThenSaysSo() {
        try (HikariDataSource pool = poolOfAnotherNode()) {
            pool.setMaximumPoolSize(1);
            pool.setConnectionTimeout(250);
            SchemaMigrator migrator = new SchemaMigrator(CredentialDatabase.of(pool));

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
                new SchemaMigrator(CredentialDatabase.of(node)).run(SchemaMode.MIGRATE);
            }
            return null;
        });

        assertThat(history()).doesNotHaveDuplicates().contains(LATEST);
    }

    @Test
    void migrateWhenAScriptWasAlteredAfterItRanThenRefused() {
        run(SchemaMode.MIGRATE);
        jdbc.update("update _credential_schema_history set checksum = 1 where version = '1'");

        assertThatThrownBy(() -> run(SchemaMode.MIGRATE)).isInstanceOf(SchemaException.class);
        assertThatThrownBy(() -> run(SchemaMode.VALIDATE))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("version 1");
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
                                .startsWith("V1__api_keys.sql")
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
                                .doesNotContain("V1__api_keys.sql")
                                .contains("V2__leases.sql", LATEST));
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

    @Test
    void migrateThenLastUseOfAKeyIsInNoIndex() throws SQLException {
        run(SchemaMode.MIGRATE);

        assertThat(indexedColumns("_credential_api_keys"))
                .contains("namespace", "id", "owner_id_hash", "created_at", "revoked_at", "expires_at")
                .doesNotContain("last_used_at", "row_mac");
    }

    private List<String> unknownScripts() {
        return new SchemaMigrator(CredentialDatabase.of(testDatabase.dataSource())).unknownScripts();
    }

    private void run(SchemaMode mode) {
        new SchemaMigrator(CredentialDatabase.of(testDatabase.dataSource())).run(mode);
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
        new SchemaMigrator(CredentialDatabase.of(testDatabase.dataSource()))
                .configuration()
                .target("1")
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
        return read(metaData -> metaData.getTables(null, null, "%", new String[] {"TABLE"}), "TABLE_NAME").stream()
                .filter(name -> name.startsWith("_credential_"))
                .toList();
    }

    private List<String> indexedColumns(String table) throws SQLException {
        return read(metaData -> metaData.getIndexInfo(null, null, table, false, true), "COLUMN_NAME");
    }

    private List<String> read(Listing listing, String column) throws SQLException {
        DataSource dataSource = testDatabase.dataSource();
        List<String> values = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                ResultSet rows = listing.of(connection.getMetaData())) {
            while (rows.next()) {
                values.add(rows.getString(column));
            }
        }
        return values;
    }

    @FunctionalInterface
    private interface Listing {
        ResultSet of(DatabaseMetaData metaData) throws SQLException;
    }
}
