package io.credential.storage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.UUID;
import javax.sql.DataSource;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** The failures of real databases, as callers see them. */
class DatabaseFaultTests {

    private static final String WRITE = "delete from _credential_leases";

    @AutoClose
    private final TestDatabase postgres = TestDatabase.create(DatabaseKind.POSTGRESQL);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource
    void ofWhenTableOrColumnIsMissingThenSchema(DatabaseKind kind) {
        try (TestDatabase database = TestDatabase.create(kind)) {
            for (String sql : new String[] {
                "select 1 from missing", "select missing from _credential_leases", "delete from missing"
            }) {
                assertThat(faultOf(database.database(), sql)).isEqualTo(DatabaseFault.SCHEMA);
            }
        }
    }

    @Test
    void ofWhenPostgresRejectsThenByState() {
        postgres.database();
        assertThat(faultOf(connected("&options=-c%20default_transaction_read_only=on"), WRITE))
                .isEqualTo(DatabaseFault.READ_ONLY_SERVER);
        assertThat(faultOf(postgres.database(), "select cast('x' as bigint)")).isEqualTo(DatabaseFault.VALUE);
        assertThat(faultOf(postgres.database(), "create table no_such.t (id int)"))
                .isEqualTo(DatabaseFault.SCHEMA);
        assertThat(faultOf(postgres.database(), "insert into _credential_leases (name) values ('a')"))
                .isEqualTo(DatabaseFault.SCHEMA);
    }

    @Test
    void explainWhenServerIsReadOnlyThenSaysSo() {
        postgres.database();
        CredentialDatabase standby = connected("&options=-c%20default_transaction_read_only=on");

        assertExplained(() -> standby.jdbc().sql(WRITE).update(), "server is read-only");
    }

    @Test
    void explainWhenFileCannotBeOpenedThenSaysSo() {
        DataSource connections = new DriverManagerDataSource(sqlite("missing/a.db", ""));

        assertExplained(() -> CredentialDatabase.of(connections), "cannot be opened");
    }

    @Test
    void ofWhenPrivilegeIsMissingThenPrivileges() {
        String user = "u_" + UUID.randomUUID().toString().replace("-", "");
        JdbcTemplate admin = new JdbcTemplate(postgres.database().dataSource());
        admin.execute("create role " + user);
        try {
            CredentialDatabase database = postgres.database();
            DataAccessException failure = catchThrowableOfType(
                    DataAccessException.class,
                    () -> database.inTransaction(() -> {
                        database.jdbc().sql("set local role " + user).update();
                        return database.jdbc().sql(WRITE).update();
                    }));
            assertThat(DatabaseFault.of(failure)).contains(DatabaseFault.PRIVILEGES);
        } finally {
            admin.execute("drop role " + user);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"user=nobody-of-this-name", "database"})
    void ofWhenLoginIsRejectedThenLogin(String wrong) {
        String url = wrong.equals("database")
                ? postgres.jdbcUrl().replaceAll("/t_[0-9a-f]+", "/t_missing")
                : postgres.jdbcUrl().replaceAll("user=[^&]*", wrong);
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setConnectionTimeout(500);
        config.setInitializationFailTimeout(-1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            DataAccessException failure =
                    catchThrowableOfType(DataAccessException.class, () -> CredentialDatabase.of(pool));

            assertThat(DatabaseFault.of(failure)).contains(DatabaseFault.LOGIN);
        }
    }

    @Test
    void ofWhenSqliteFileIsReadOnlyThenReadOnly() {
        String url = sqlite("a.db", "");
        JdbcTemplate jdbc = new JdbcTemplate(new DriverManagerDataSource(url));
        jdbc.execute("create table t (id integer)");

        assertThat(faultOf(CredentialDatabase.of(new DriverManagerDataSource(url + "?open_mode=1")), "delete from t"))
                .isEqualTo(DatabaseFault.READ_ONLY);
    }

    @Test
    void ofWhenSqliteIsFullThenDiskFull() {
        DataSource connections = new DriverManagerDataSource(sqlite("b.db", "?max_page_count=3"));
        CredentialDatabase database = CredentialDatabase.of(connections);
        database.jdbc().sql("create table t (id blob)").update();

        assertThat(faultOf(database, "insert into t values (zeroblob(100000))")).isEqualTo(DatabaseFault.DISK_FULL);
    }

    @Test
    void ofWhenSqliteFileIsNoDatabaseThenDamaged() throws Exception {
        Files.writeString(directory.resolve("c.db"), "no database at all, but long enough for a header".repeat(50));

        DataAccessException failure = catchThrowableOfType(
                DataAccessException.class,
                () -> new JdbcTemplate(new DriverManagerDataSource(sqlite("c.db", ""))).execute("create table t (i)"));

        assertThat(DatabaseFault.of(failure)).contains(DatabaseFault.DAMAGED);
    }

    @ParameterizedTest
    @CsvSource({
        "08006", "08001", "40001", "40P01", "53300", "53200", "55P03", "57014", "57P01", "57P03", "0A000", "25P02",
        "23505"
    })
    void ofWhenRetryCanSucceedThenNone(String state) {
        RuntimeException failure = new DataAccessResourceFailureException("failed", new SQLException("failed", state));

        assertThat(DatabaseFault.of(failure)).isEmpty();
        assertThat(DatabaseFault.explain(failure)).isEqualTo("the database does not answer");
    }

    @Test
    void ofWhenPoolHasNoConnectionThenNone() {
        assertThat(DatabaseFault.of(new SQLTransientConnectionException("request timed out after 30000ms")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"53100, DISK_FULL", "28P01, LOGIN", "28000, LOGIN", "42P05, POOLING_PROXY", "26000, POOLING_PROXY"})
    void ofWhenStateIsAnOperatorsThenItsFault(String state, DatabaseFault fault) {
        assertThat(DatabaseFault.of(new IllegalStateException(new SQLException("failed", state))))
                .contains(fault);
        assertThat(DatabaseFault.explain(new SQLException("failed", state))).contains(fault.problem(), fault.remedy());
    }

    private static DatabaseFault faultOf(CredentialDatabase database, String sql) {
        DataAccessException failure = catchThrowableOfType(
                DataAccessException.class, () -> database.jdbc().sql(sql).update());
        return DatabaseFault.of(failure).orElseThrow();
    }

    private static void assertExplained(ThrowingCallable statement, String problem) {
        DataAccessException failure = catchThrowableOfType(DataAccessException.class, statement);
        assertThat(DatabaseFault.explain(failure)).contains(problem);
    }

    private CredentialDatabase connected(String parameters) {
        String url = postgres.jdbcUrl();
        return CredentialDatabase.of(new DriverManagerDataSource(
                url + (url.contains("?") ? parameters : parameters.replaceFirst("&", "?"))));
    }

    private String sqlite(String file, String parameters) {
        return "jdbc:sqlite:" + directory.resolve(file) + parameters;
    }
}
