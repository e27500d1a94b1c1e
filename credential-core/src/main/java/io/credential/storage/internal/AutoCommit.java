package io.credential.storage.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A connection on which a statement commits by itself, or in its own transaction, lent to one thread for a limited time.
 */
final class AutoCommit {

    private static final Logger LOG = LoggerFactory.getLogger(AutoCommit.class);

    /** How long PostgreSQL has to answer before the statement is cancelled. */
    private static final Duration LIMIT = Duration.ofSeconds(8);

    private AutoCommit() {}

    /**
     * @param nanoTime a monotonic clock; null for a database in a file, which needs no limit
     * @param begin SQL that a transaction for the statement begins with; null to need none
     */
    static <T extends @Nullable Object> T run(
            DataSource dataSource, @Nullable LongSupplier nanoTime, @Nullable String begin, Supplier<T> statement) {
        return lent(
                dataSource,
                nanoTime,
                begin == null,
                connection -> bound(
                        dataSource,
                        connection,
                        begin == null ? statement : () -> inTransaction(connection, begin, statement)));
    }

    /**
     * Runs a query on a connection that is not bound to the thread.
     *
     * @param nanoTime a monotonic clock; null for a database in a file, which needs no limit
     */
    static <T extends @Nullable Object> T query(
            DataSource dataSource,
            @Nullable LongSupplier nanoTime,
            String sql,
            PreparedStatementSetter parameters,
            ResultSetExtractor<T> extractor)
            throws SQLException {
        return lent(dataSource, nanoTime, true, connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                parameters.setValues(statement);
                try (ResultSet rows = statement.executeQuery()) {
                    return extractor.extractData(rows);
                }
            }
        });
    }

    private static <T extends @Nullable Object, E extends Exception> T lent(
            DataSource dataSource, @Nullable LongSupplier nanoTime, boolean autoCommit, Use<T, E> use) throws E {
        Connection connection = connection(dataSource);
        try {
            Deadline deadline = nanoTime == null ? null : Deadline.start(connection, LIMIT, nanoTime);
            try {
                return inMode(connection, autoCommit, use);
            } finally {
                if (deadline != null) {
                    deadline.close();
                }
            }
        } finally {
            JdbcUtils.closeConnection(connection);
        }
    }

    private static <T extends @Nullable Object, E extends Exception> T inMode(
            Connection connection, boolean autoCommit, Use<T, E> use) throws E {
        boolean before = setAutoCommit(connection, autoCommit);
        try {
            return use.of(connection);
        } finally {
            if (before != autoCommit) {
                restore(connection, before);
            }
        }
    }

    /** Returns the mode that the connection had before. */
    private static boolean setAutoCommit(Connection connection, boolean autoCommit) {
        try {
            boolean before = connection.getAutoCommit();
            if (before != autoCommit) {
                connection.setAutoCommit(autoCommit);
            }
            return before;
        } catch (SQLException e) {
            throw new CannotGetJdbcConnectionException("The database connection is broken", e);
        }
    }

    /** Binds the connection to the thread, where statements look for that of a transaction. */
    private static <T extends @Nullable Object> T bound(
            DataSource dataSource, Connection connection, Supplier<T> statement) {
        ConnectionHolder holder = new Lent(connection);
        // The connection of a transaction stays bound for a while after its end.
        Object before = TransactionSynchronizationManager.unbindResourceIfPossible(dataSource);
        TransactionSynchronizationManager.bindResource(dataSource, holder);
        try {
            return statement.get();
        } finally {
            TransactionSynchronizationManager.unbindResource(dataSource);
            if (before != null) {
                TransactionSynchronizationManager.bindResource(dataSource, before);
            }
        }
    }

    private static <T extends @Nullable Object> T inTransaction(
            Connection connection, String begin, Supplier<T> statement) {
        boolean committed = false;
        try (Statement first = connection.createStatement()) {
            first.execute(begin);
            T result = statement.get();
            connection.commit();
            committed = true;
            return result;
        } catch (SQLException e) {
            throw new CannotGetJdbcConnectionException("The database connection is broken", e);
        } finally {
            if (!committed) {
                rollBack(connection);
            }
        }
    }

    /** Whether this thread is running a statement here, on a connection that is bound to it. */
    static boolean isRunning(DataSource dataSource) {
        return TransactionSynchronizationManager.getResource(dataSource) instanceof Lent;
    }

    private static Connection connection(DataSource dataSource) {
        try {
            return dataSource.getConnection();
        } catch (SQLException e) {
            throw new CannotGetJdbcConnectionException("Could not obtain a database connection", e);
        }
    }

    private static void rollBack(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            LOG.debug("The database connection broke and cannot be rolled back", e);
        }
    }

    private static void restore(Connection connection, boolean autoCommit) {
        try {
            connection.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            LOG.debug("The database connection broke and cannot be used again", e);
        }
    }

    private interface Use<T extends @Nullable Object, E extends Exception> {
        T of(Connection connection) throws E;
    }

    /** The connection, told apart from that of a transaction. */
    private static final class Lent extends ConnectionHolder {

        Lent(Connection connection) {
            super(connection);
        }
    }
}
