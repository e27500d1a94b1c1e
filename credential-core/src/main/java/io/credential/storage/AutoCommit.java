package io.credential.storage;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A connection on which each statement commits by itself, lent to one thread. The statement is cancelled when it takes too
 * long, and given up when not even that is answered: a server that cannot be reached must not keep a thread.
 */
final class AutoCommit {

    private static final Logger LOG = LoggerFactory.getLogger(AutoCommit.class);

    private static final int STATEMENT_SECONDS = 8;
    private static final int NETWORK_MILLIS = 10_000;

    private AutoCommit() {}

    static <T extends @Nullable Object> T run(DataSource dataSource, Supplier<T> statement) {
        Connection connection = connection(dataSource);
        try {
            Settings before = Settings.change(connection);
            try {
                return bound(dataSource, connection, statement);
            } finally {
                before.restore(connection);
            }
        } finally {
            close(connection);
        }
    }

    /** Statements on the DataSource find the connection at the thread, where that of a transaction would be. */
    private static <T extends @Nullable Object> T bound(
            DataSource dataSource, Connection connection, Supplier<T> statement) {
        ConnectionHolder holder = new ConnectionHolder(connection);
        holder.setTimeoutInSeconds(STATEMENT_SECONDS);
        TransactionSynchronizationManager.bindResource(dataSource, holder);
        try {
            return statement.get();
        } finally {
            TransactionSynchronizationManager.unbindResource(dataSource);
        }
    }

    private static Connection connection(DataSource dataSource) {
        try {
            return dataSource.getConnection();
        } catch (SQLException e) {
            throw new CannotGetJdbcConnectionException("No connection to the database could be had", e);
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debug("A connection could not be closed", e);
        }
    }

    /** What is changed for one statement and must be as it was when others get the connection. */
    private record Settings(boolean autoCommit, int networkMillis) {

        static Settings change(Connection connection) {
            try {
                Settings before = new Settings(connection.getAutoCommit(), connection.getNetworkTimeout());
                connection.setNetworkTimeout(Runnable::run, NETWORK_MILLIS);
                if (!before.autoCommit) {
                    connection.setAutoCommit(true);
                }
                return before;
            } catch (SQLException e) {
                throw new CannotGetJdbcConnectionException("The connection to the database is broken", e);
            }
        }

        void restore(Connection connection) {
            try {
                if (connection.isClosed()) {
                    return;
                }
                connection.setNetworkTimeout(Runnable::run, networkMillis);
                if (!autoCommit) {
                    connection.setAutoCommit(false);
                }
            } catch (SQLException e) {
                LOG.debug("The connection could not be left as it was", e);
            }
        }
    }
}
