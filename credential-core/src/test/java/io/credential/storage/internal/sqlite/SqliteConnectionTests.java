package io.credential.storage.internal.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.credential.testing.InParallel;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SqliteConnectionTests {

    private static final Duration IMPATIENT = Duration.ofMillis(50);
    private static final Duration PATIENT = Patience.LIMIT;

    @TempDir
    private Path directory;

    private Path file;
    private SqliteDataSource dataSource;

    @BeforeEach
    void createTable() throws SQLException {
        file = directory.resolve("test.db");
        dataSource = new SqliteDataSource(file, IMPATIENT);
        try (Connection connection = dataSource.getConnection()) {
            execute(connection, "create table parent (id integer primary key)");
            execute(
                    connection,
                    "create table child (id integer primary key, parent_id integer references parent (id) "
                            + "deferrable initially deferred)");
            execute(connection, "create table counter (value integer not null)");
            execute(connection, "insert into counter values (0)");
        }
    }

    @Test
    void connectionThenUsesWriteAheadLogAndFullSync() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            assertThat(text(connection, "pragma journal_mode")).isEqualTo("wal");
            assertThat(text(connection, "pragma synchronous")).isEqualTo("2");
        }
    }

    @Test
    void loginTimeoutWhenSetThenIgnoredAndStaysTenSeconds() {
        assertThatCode(() -> dataSource.setLoginTimeout(1)).doesNotThrowAnyException();
        assertThat(dataSource.getLoginTimeout()).isEqualTo(10);
    }

    @Test
    void foreignKeysThenAreEnforced() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            assertThatThrownBy(() -> execute(connection, "insert into child values (1, 1)"))
                    .isInstanceOf(SQLException.class);
        }
    }

    @Test
    void transactionWhenItReadsFirstThenNoUpdateIsLost() {
        SqliteDataSource patient = new SqliteDataSource(file, PATIENT);

        int increments = InParallel.countSuccesses(8, 50, round -> {
            try (Connection connection = patient.getConnection()) {
                connection.setAutoCommit(false);
                int value = Integer.parseInt(text(connection, "select value from counter"));
                execute(connection, "update counter set value = " + (value + 1));
                connection.commit();
            }
            return true;
        });

        assertThat(increments).isPositive();
        assertThat(counter()).isEqualTo(increments);
    }

    @Test
    void commitWhenRepeatedThenEachIsATransactionInTurn() {
        SqliteDataSource patient = new SqliteDataSource(file, PATIENT);

        int increments = InParallel.run(4, () -> {
                    try (Connection connection = patient.getConnection()) {
                        connection.setAutoCommit(false);
                        for (int i = 0; i < 25; i++) {
                            int value = Integer.parseInt(text(connection, "select value from counter"));
                            execute(connection, "update counter set value = " + (value + 1));
                            connection.commit();
                        }
                        return 25;
                    }
                })
                .stream()
                .mapToInt(Integer::intValue)
                .sum();

        assertThat(counter()).isEqualTo(increments);
    }

    @Test
    void writeWhenInAutoCommitModeThenTakesTurns() {
        SqliteDataSource patient = new SqliteDataSource(file, PATIENT);

        int increments = InParallel.countSuccesses(8, 50, round -> {
            try (Connection connection = patient.getConnection()) {
                connection.setAutoCommit(round % 2 == 0);
                try (var statement = connection.prepareStatement("update counter set value = value + 1")) {
                    statement.executeUpdate();
                }
                if (!connection.getAutoCommit()) {
                    connection.commit();
                }
            }
            return true;
        });

        assertThat(increments).isPositive();
        assertThat(counter()).isEqualTo(increments);
    }

    @Test
    void writeWhenThreadAlreadyWritesThenRefusedAtOnce() throws SQLException {
        SqliteDataSource patient = new SqliteDataSource(file, PATIENT);
        try (Connection outer = patient.getConnection();
                Connection inner = patient.getConnection()) {
            outer.setAutoCommit(false);

            assertThatThrownBy(() -> inner.setAutoCommit(false)).hasMessageContaining("REQUIRES_NEW");
            assertThatThrownBy(() -> execute(inner, "update counter set value = 9"))
                    .hasMessageContaining("REQUIRES_NEW");

            assertThat(inner.getAutoCommit()).isTrue();
        }
    }

    @Test
    void readOnlyWhenInsideAWriteThenSeesWhatIsCommitted() throws SQLException {
        try (Connection outer = dataSource.getConnection();
                Connection inner = dataSource.getConnection()) {
            outer.setAutoCommit(false);
            execute(outer, "update counter set value = 5");
            inner.setReadOnly(true);
            inner.setAutoCommit(false);

            assertThat(text(inner, "select value from counter")).isEqualTo("0");
        }
    }

    @Test
    void setReadOnlyThenRefusesToWriteUntilSetBack() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setReadOnly(true);

            assertThat(connection.isReadOnly()).isTrue();
            assertThatThrownBy(() -> execute(connection, "update counter set value = 1"))
                    .isInstanceOf(SQLException.class);

            connection.setReadOnly(false);
            execute(connection, "update counter set value = 2");
            assertThat(counter()).isEqualTo(2);
        }
    }

    @Test
    void setReadOnlyWhenUnchangedThenAllowedInTransaction() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);

            assertThatNoException().isThrownBy(() -> connection.setReadOnly(false));
        }
    }

    @Test
    void rollbackWhenNothingHasBegunThenIsFine() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            connection.rollback();

            assertThatNoException().isThrownBy(connection::rollback);
        }
    }

    @Test
    void toStringThenNamesTheFile() {
        assertThat(dataSource).hasToString("SqliteDataSource[" + file.toAbsolutePath() + "]");
    }

    @Test
    void setReadOnlyWhenInTransactionThenRefused() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);

            assertThatThrownBy(() -> connection.setReadOnly(true)).hasMessageContaining("inside a transaction");
        }
    }

    @Test
    void beginWhenAnotherProcessWritesThenFailsAndRecovers() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            try (Connection foreign = DriverManager.getConnection("jdbc:sqlite:" + file)) {
                execute(foreign, "begin immediate");
                assertThatThrownBy(() -> connection.setAutoCommit(false)).isInstanceOf(SQLException.class);
                assertThat(connection.getAutoCommit()).isTrue();
                execute(foreign, "rollback");
            }

            connection.setAutoCommit(false);
            execute(connection, "update counter set value = 7");
            connection.rollback();

            assertThat(counter()).isZero();
        }
    }

    @Test
    void beginWhenAnotherThreadWritesThenErrorNamesIt() throws SQLException {
        try (Connection writer = dataSource.getConnection();
                Connection waiting = dataSource.getConnection()) {
            writer.setAutoCommit(false);

            String message = InParallel.elsewhere(() -> {
                try {
                    waiting.setAutoCommit(false);
                    return "begun";
                } catch (SQLTransientException e) {
                    return e.getMessage();
                }
            });

            assertThat(message).contains(Thread.currentThread().getName());
        }
    }

    @Test
    void commitWhenItFailsThenRolledBackAndStillUsable() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            execute(connection, "update counter set value = 3");
            execute(connection, "insert into child values (1, 1)");

            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            connection.setAutoCommit(true);

            assertThat(counter()).isZero();
            execute(connection, "update counter set value = 4");
            assertThat(counter()).isEqualTo(4);
        }
    }

    @Test
    void statementWhenSqliteHasRolledBackThenRefused() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            execute(connection, "insert into parent values (1)");
            assertThatThrownBy(() -> execute(connection, "insert or rollback into parent values (1)"))
                    .isInstanceOf(SQLException.class);

            assertThatThrownBy(() -> execute(connection, "update counter set value = 8"))
                    .hasMessageContaining("rolled this transaction back");
            assertThatThrownBy(connection::commit).hasMessageContaining("rolled this transaction back");

            assertThat(counter()).isZero();
            connection.setAutoCommit(true);
            execute(connection, "update counter set value = 9");
            assertThat(counter()).isEqualTo(9);
        }
    }

    @Test
    void rollbackWhenSqliteHasRolledBackByItselfThenIsFine() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            execute(connection, "insert into parent values (1)");
            assertThatThrownBy(() -> execute(connection, "insert or rollback into parent values (1)"))
                    .isInstanceOf(SQLException.class);

            assertThatNoException().isThrownBy(connection::rollback);
            connection.setAutoCommit(true);

            assertThat(text(connection, "select count(*) from parent")).isEqualTo("0");
        }
    }

    @Test
    void rollbackWhenToASavepointThenKeepsWhatCameBefore() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            execute(connection, "update counter set value = 1");
            Savepoint savepoint = connection.setSavepoint();
            execute(connection, "update counter set value = 2");
            connection.rollback(savepoint);
            connection.commit();

            assertThat(counter()).isEqualTo(1);
        }
    }

    @Test
    void transactionCallWhenInAutoCommitModeThenRefused() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            assertThatThrownBy(connection::commit).hasMessageContaining("auto-commit");
            assertThatThrownBy(connection::rollback).hasMessageContaining("auto-commit");
            assertThatThrownBy(connection::setSavepoint).hasMessageContaining("auto-commit");
            assertThatThrownBy(() -> connection.setSavepoint("s")).hasMessageContaining("auto-commit");
        }
    }

    @Test
    void closeWhenInTransactionThenRollsBackAndNextMayWrite() throws SQLException {
        Connection forgotten = dataSource.getConnection();
        forgotten.setAutoCommit(false);
        execute(forgotten, "update counter set value = 1");
        forgotten.close();

        try (Connection next = dataSource.getConnection()) {
            assertThatNoException().isThrownBy(() -> next.setAutoCommit(false));
        }
        assertThat(counter()).isZero();
    }

    @Test
    void connectionWhenCommittedThenHoldsNoLock() throws SQLException {
        try (Connection committed = dataSource.getConnection();
                Connection next = dataSource.getConnection()) {
            committed.setAutoCommit(false);
            execute(committed, "update counter set value = 1");
            committed.commit();

            assertThatNoException().isThrownBy(() -> next.setAutoCommit(false));
        }
    }

    @Test
    void getConnectionWhenUserIsGivenThenRefused() {
        assertThatThrownBy(() -> dataSource.getConnection("user", "password")).isInstanceOf(SQLException.class);
    }

    private int counter() {
        try (Connection connection = dataSource.getConnection()) {
            return Integer.parseInt(text(connection, "select value from counter"));
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    private static String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }
}
