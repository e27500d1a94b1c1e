package io.credential.storage;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
 * A connection on which a statement commits by itself, or in its own transaction, lent to one thread. A statement
 * that takes too long is cancelled. If the server does not answer that either, the connection is aborted: an unreachable
 * server must not keep a thread, whether it writes or reads.
 */
final class AutoCommit {

    private static final Logger LOG = LoggerFactory.getLogger(AutoCommit.class);

    private static final int CANCEL_SECONDS = 8;
    private static final int ABORT_SECONDS = 10;
    private static final int IDLE_SECONDS = 30;

    private static final Watch WATCH = new Watch();

    private AutoCommit() {}

    /** @param begin SQL that a transaction for the statement begins with; null to need none */
    static <T extends @Nullable Object> T run(DataSource dataSource, @Nullable String begin, Supplier<T> statement) {
        return lent(
                dataSource,
                begin == null,
                (connection, deadline) -> bound(
                        dataSource,
                        connection,
                        begin == null ? statement : () -> inTransaction(connection, begin, statement)));
    }

    /**
     * Runs a query without a timeout of the statement, because the driver's timer costs more than a fast read: the watch
     * cancels it. The connection is not bound to the thread.
     */
    static <T extends @Nullable Object> T query(
            DataSource dataSource, String sql, PreparedStatementSetter parameters, ResultSetExtractor<T> extractor)
            throws SQLException {
        return lent(dataSource, true, (connection, deadline) -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                deadline.cancels(statement);
                parameters.setValues(statement);
                try (ResultSet rows = statement.executeQuery()) {
                    return extractor.extractData(rows);
                }
            }
        });
    }

    private static <T extends @Nullable Object, E extends Exception> T lent(
            DataSource dataSource, boolean autoCommit, Use<T, E> use) throws E {
        Connection connection = connection(dataSource);
        Deadline deadline = new Deadline(connection);
        boolean before = autoCommit;
        try {
            WATCH.add(deadline);
            before = setAutoCommit(connection, autoCommit);
            return use.of(connection, deadline);
        } finally {
            if (before != autoCommit) {
                restore(connection, before);
            }
            WATCH.remove(deadline);
            JdbcUtils.closeConnection(connection);
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

    private static <T extends @Nullable Object> T inTransaction(
            Connection connection, String begin, Supplier<T> statement) {
        boolean committed = false;
        try (Statement first = connection.createStatement()) {
            first.setQueryTimeout(CANCEL_SECONDS);
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
        T of(Connection connection, Deadline deadline) throws E;
    }

    /**
     * Looks about once a second for connections that are past their deadline. A timer for each of them would cost more
     * than the fastest statements. The threads end when there is nothing to do.
     */
    private static final class Watch {

        private final Set<Deadline> deadlines = ConcurrentHashMap.newKeySet();
        private final AtomicBoolean looking = new AtomicBoolean();
        private final ScheduledThreadPoolExecutor looks = executor("credential-database-deadline");

        /** Cancelling connects to the server: while that hangs, connections must still be aborted. */
        private final ScheduledThreadPoolExecutor cancellations = executor("credential-database-cancel");

        void add(Deadline deadline) {
            deadlines.add(deadline);
            lookLater();
        }

        void remove(Deadline deadline) {
            deadlines.remove(deadline);
            deadline.lift();
        }

        private void lookLater() {
            if (looking.get() || !looking.compareAndSet(false, true)) {
                return;
            }
            boolean scheduled = false;
            try {
                var unused = looks.schedule(this::look, 1, TimeUnit.SECONDS);
                scheduled = true;
            } finally {
                if (!scheduled) {
                    looking.set(false); // no thread could be created: the next connection tries again
                }
            }
        }

        private void look() {
            looking.set(false);
            if (!deadlines.isEmpty()) {
                lookLater();
            }
            long now = System.nanoTime();
            deadlines.forEach(deadline -> {
                deadline.abortIfPast(now);
                deadline.toCancel(now).ifPresent(statement -> cancellations.execute(() -> cancel(statement)));
            });
        }

        /** The driver does nothing if the statement has ended. */
        private static void cancel(Statement statement) {
            try {
                statement.cancel();
            } catch (SQLException e) {
                LOG.debug("A statement could not be cancelled; its connection will be aborted", e);
            }
        }

        private static ScheduledThreadPoolExecutor executor(String name) {
            ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
                Thread thread = new Thread(task, name);
                thread.setDaemon(true);
                return thread;
            });
            executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
            executor.allowCoreThreadTimeOut(true);
            return executor;
        }
    }

    /** The connection, told apart from that of a transaction. */
    private static final class Lent extends ConnectionHolder {

        Lent(Connection connection) {
            super(connection);
        }
    }

    /** Aborts the connection unless the deadline was lifted, since another thread may then be using the connection. */
    private static final class Deadline {

        private final Connection connection;
        private final long start = System.nanoTime();
        private @Nullable Statement statement;
        private boolean over;

        Deadline(Connection connection) {
            this.connection = connection;
        }

        /** Has a statement cancelled that has no timeout. */
        synchronized void cancels(Statement running) {
            statement = running;
        }

        /** Returns a statement that has run for too long, once. */
        synchronized Optional<Statement> toCancel(long now) {
            if (over || statement == null || !isPast(now, CANCEL_SECONDS)) {
                return Optional.empty();
            }
            Optional<Statement> cancelled = Optional.of(statement);
            statement = null;
            return cancelled;
        }

        synchronized void lift() {
            over = true;
        }

        synchronized void abortIfPast(long now) {
            if (over || !isPast(now, ABORT_SECONDS)) {
                return;
            }
            over = true;
            LOG.warn("The database did not answer within {} s; the connection is aborted", ABORT_SECONDS);
            try {
                connection.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.warn("Could not abort a database connection", e);
            }
        }

        private boolean isPast(long now, int seconds) {
            return now - start >= TimeUnit.SECONDS.toNanos(seconds);
        }
    }
}
