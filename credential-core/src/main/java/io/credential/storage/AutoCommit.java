package io.credential.storage;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A connection on which each statement commits by itself, lent to one thread. A statement that takes too long is
 * cancelled. If the server does not answer that either, the connection is aborted: an unreachable server must not keep
 * a thread, whether it writes or reads.
 */
final class AutoCommit {

    private static final Logger LOG = LoggerFactory.getLogger(AutoCommit.class);

    private static final int CANCEL_SECONDS = 8;
    private static final int ABORT_SECONDS = 10;
    private static final int IDLE_SECONDS = 30;

    private static final ScheduledThreadPoolExecutor DEADLINES = deadlines();

    private AutoCommit() {}

    static <T extends @Nullable Object> T run(DataSource dataSource, Supplier<T> statement) {
        Connection connection = connection(dataSource);
        Deadline deadline = new Deadline(connection);
        Future<?> abort = DEADLINES.schedule(deadline, ABORT_SECONDS, TimeUnit.SECONDS);
        try {
            boolean autoCommit = connection.getAutoCommit();
            if (!autoCommit) {
                connection.setAutoCommit(true);
            }
            try {
                return bound(dataSource, connection, statement);
            } finally {
                if (!autoCommit) {
                    restore(connection);
                }
            }
        } catch (SQLException e) {
            throw new CannotGetJdbcConnectionException("The database connection is broken", e);
        } finally {
            abort.cancel(false);
            deadline.lift();
            JdbcUtils.closeConnection(connection);
        }
    }

    /** Binds the connection to the thread, where statements look for that of a transaction. */
    private static <T extends @Nullable Object> T bound(
            DataSource dataSource, Connection connection, Supplier<T> statement) {
        ConnectionHolder holder = new ConnectionHolder(connection);
        holder.setTimeoutInSeconds(CANCEL_SECONDS);
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

    private static Connection connection(DataSource dataSource) {
        try {
            return dataSource.getConnection();
        } catch (SQLException e) {
            throw new CannotGetJdbcConnectionException("Could not obtain a database connection", e);
        }
    }

    private static void restore(Connection connection) {
        try {
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            LOG.debug("The database connection broke and cannot be used again", e);
        }
    }

    /** The thread ends when there is nothing to do. */
    private static ScheduledThreadPoolExecutor deadlines() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "credential-database-deadline");
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /** Aborts the connection unless the deadline was lifted, since another thread may then be using the connection. */
    private static final class Deadline implements Runnable {

        private final Connection connection;
        private boolean lifted;

        Deadline(Connection connection) {
            this.connection = connection;
        }

        synchronized void lift() {
            lifted = true;
        }

        @Override
        public synchronized void run() {
            if (lifted) {
                return;
            }
            LOG.warn("The database did not answer within {} s; the connection is aborted", ABORT_SECONDS);
            try {
                connection.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.warn("Could not abort a database connection", e);
            }
        }
    }
}
