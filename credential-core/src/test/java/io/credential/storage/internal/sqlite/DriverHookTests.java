package io.credential.storage.internal.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What the subclasses rely on: whichever of its methods is called, the driver comes through those that they override. */
class DriverHookTests {

    private static final String WRITE = "update counter set value = 1";

    @TempDir
    private Path directory;

    private SqliteDataSource dataSource;

    @BeforeEach
    void createTable() throws SQLException {
        dataSource = new SqliteDataSource(directory.resolve("test.db"), Duration.ofMillis(50));
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table counter (value integer not null)");
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"QUERY", "PREPARED_QUERY"})
    void writeWhenInAutoCommitModeThenPassesTheGate(Way way) throws SQLException {
        try (Connection outer = dataSource.getConnection();
                Connection inner = dataSource.getConnection()) {
            outer.setAutoCommit(false);

            assertThatThrownBy(() -> way.run(inner)).hasMessageContaining("REQUIRES_NEW");
        }
    }

    @ParameterizedTest
    @EnumSource
    void statementWhenCommittedBeforeThenBeginsATransaction(Way way) throws SQLException {
        try (Connection first = dataSource.getConnection();
                Connection second = dataSource.getConnection()) {
            first.setAutoCommit(false);
            first.commit();

            way.run(first);

            assertThatThrownBy(() -> second.setAutoCommit(false)).hasMessageContaining("REQUIRES_NEW");
        }
    }

    @Test
    void connectionThenGivesOurStatements() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            assertThat(connection.createStatement()).isInstanceOf(SqliteStatement.class);
            assertThat(connection.createStatement(1003, 1007)).isInstanceOf(SqliteStatement.class);
            assertThat(connection.prepareStatement(WRITE)).isInstanceOf(SqlitePreparedStatement.class);
            assertThat(connection.prepareStatement(WRITE, 1003, 1007)).isInstanceOf(SqlitePreparedStatement.class);
            assertThat(connection.prepareStatement(WRITE, Statement.RETURN_GENERATED_KEYS))
                    .isInstanceOf(SqlitePreparedStatement.class);
            assertThat(connection.prepareStatement(WRITE, new int[] {1})).isInstanceOf(SqlitePreparedStatement.class);
            assertThat(connection.prepareStatement(WRITE, new String[] {"value"}))
                    .isInstanceOf(SqlitePreparedStatement.class);
        }
    }

    enum Way {
        QUERY(statement -> statement.executeQuery("select value from counter")),
        EXECUTE(statement -> statement.execute(WRITE)),
        EXECUTE_FOR_KEYS(statement -> statement.execute(WRITE, Statement.RETURN_GENERATED_KEYS)),
        UPDATE(statement -> statement.executeUpdate(WRITE)),
        UPDATE_FOR_KEYS(statement -> statement.executeUpdate(WRITE, Statement.RETURN_GENERATED_KEYS)),
        LARGE_UPDATE(statement -> statement.executeLargeUpdate(WRITE)),
        BATCH(statement -> {
            statement.addBatch(WRITE);
            statement.executeBatch();
        }),
        LARGE_BATCH(statement -> {
            statement.addBatch(WRITE);
            statement.executeLargeBatch();
        }),
        PREPARED_QUERY("select value from counter", PreparedStatement::executeQuery),
        PREPARED_EXECUTE(WRITE, PreparedStatement::execute),
        PREPARED_UPDATE(WRITE, PreparedStatement::executeUpdate),
        PREPARED_LARGE_UPDATE(WRITE, PreparedStatement::executeLargeUpdate),
        PREPARED_BATCH("update counter set value = ?", statement -> {
            statement.setInt(1, 1);
            statement.addBatch();
            statement.executeBatch();
        });

        @SuppressWarnings("ImmutableEnumChecker") // the functions hold no state
        private final Execution<Connection> execution;

        Way(Execution<Statement> execution) {
            this.execution = connection -> {
                try (Statement statement = connection.createStatement()) {
                    execution.run(statement);
                }
            };
        }

        Way(String sql, Execution<PreparedStatement> execution) {
            this.execution = connection -> {
                try (PreparedStatement statement = connection.prepareStatement(sql)) {
                    execution.run(statement);
                }
            };
        }

        void run(Connection connection) throws SQLException {
            execution.run(connection);
        }
    }

    interface Execution<T> {
        void run(T on) throws SQLException;
    }
}
