package io.credential.storage.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.SchemaException;
import io.credential.storage.SchemaMode;
import io.credential.testing.DatabaseKind;
import io.credential.testing.InParallel;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A newer version changes a table that a transaction of an application has used and keeps locked. */
class SchemaLockTests {

    private static final SchemaScripts NEWER = new SchemaScripts(
            List.of("io/credential/storage/newer"), "_newer_schema_history", List.of(), Set.of(), Map.of());
    private static final int SHORT_TIMEOUT_MILLIS = 100;
    private static final String READ_LEASES = "select count(*) from _credential_leases";
    private static final String READ_NOTES = "select count(note) from _credential_leases";

    @AutoClose
    private final TestDatabase test = TestDatabase.create(DatabaseKind.POSTGRESQL);

    @AutoClose("shutdownNow")
    private final ExecutorService node = Executors.newSingleThreadExecutor();

    private final CredentialDatabase database = test.database();
    private final JdbcTemplate jdbc = new JdbcTemplate(test.dataSource());
    private Connection transaction;

    @BeforeEach
    void migrateToFirstVersion() {
        new SchemaMigrator(database, NEWER).configuration().target("1").load().migrate();
    }

    @BeforeEach
    void readInTransaction() throws SQLException {
        transaction = test.dataSource().getConnection();
        transaction.setAutoCommit(false);
        try (var statement = transaction.createStatement()) {
            statement.execute(READ_LEASES);
        }
    }

    @AfterEach
    void endTransaction() throws SQLException {
        transaction.close();
    }

    @Test
    void migrateWhenTableIsLockedThenOthersCanUseIt() throws Exception {
        Future<?> migration = node.submit(() -> migrate(Integer.MAX_VALUE, SHORT_TIMEOUT_MILLIS));
        Patience.until(() -> waitingSessions() == 1);

        Integer leases = InParallel.elsewhere(() -> jdbc.queryForObject(READ_LEASES, Integer.class));

        assertThat(leases).isZero();
        assertThat(migration).isNotDone();
        transaction.commit();
        Patience.get(migration);
        assertThat(jdbc.queryForObject(READ_NOTES, Integer.class)).isZero();
    }

    @Test
    void migrateWhenTableStaysLockedThenFails() throws SQLException {
        assertThatExceptionOfType(SchemaException.class)
                .isThrownBy(() -> migrate(2, SHORT_TIMEOUT_MILLIS))
                .withMessageContaining("End transactions");

        transaction.commit();
        migrate(1, ScriptLockTimeout.DEFAULT_MILLIS);
        assertThat(jdbc.queryForObject(READ_NOTES, Integer.class)).isZero();
    }

    @Test
    void migrateThenSessionsKeepTheirLockTimeout() throws SQLException {
        transaction.commit();
        migrate(1, ScriptLockTimeout.DEFAULT_MILLIS);

        assertThat(jdbc.queryForObject("show lock_timeout", String.class)).isEqualTo("0");
    }

    private void migrate(int attempts, int lockTimeoutMillis) {
        new SchemaMigrator(database, NEWER, attempts, lockTimeoutMillis).run(SchemaMode.MIGRATE);
    }

    private int waitingSessions() {
        return JdbcClient.create(jdbc).sql("""
                select count(*) from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'""").query(Integer.class).single();
    }
}
