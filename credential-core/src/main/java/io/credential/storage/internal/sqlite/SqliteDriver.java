package io.credential.storage.internal.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.LockingMode;
import org.sqlite.SQLiteConfig.TransactionMode;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteOpenMode;

/** Isolates the SQLite driver, which is absent from applications on PostgreSQL, from other packages. */
public final class SqliteDriver {

    private static final int LOCK_WAIT_MILLIS = 2000;

    private SqliteDriver() {}

    /**
     * Returns how the driver begins the transactions of a connection, in capital letters as in its setting {@code
     * transaction_mode}; empty for a connection of {@link SqliteDataSource}, which begins them itself.
     *
     * @throws SQLException if a pool does not say what it wraps
     */
    public static Optional<String> transactionMode(Connection connection) throws SQLException {
        if (connection.isWrapperFor(SqliteConnection.class)) {
            return Optional.empty();
        }
        TransactionMode mode = connection.isWrapperFor(SQLiteConnection.class)
                ? connection
                        .unwrap(SQLiteConnection.class)
                        .getConnectionConfig()
                        .getTransactionMode()
                : TransactionMode.DEFERRED;
        return Optional.of(mode.name());
    }

    /**
     * Opens an existing file for reading, and keeps all others out until the connection is closed. What a process that
     * was killed has left in the write-ahead log is read too.
     *
     * @throws IllegalArgumentException if SQLite would take a part of the path for options
     * @throws CannotAcquireLockException if another connection, of this or another process, uses the file
     * @throws DataAccessException if the file is missing, cannot be opened, or is not a database
     */
    public static Connection openExclusively(Path file) {
        String path =
                SqliteFile.requireNoOptions(file.toAbsolutePath().normalize()).toString();
        SQLiteConfig config = new SQLiteConfig();
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        config.setBusyTimeout(LOCK_WAIT_MILLIS);
        // Locks are then kept when a transaction ends. In write-ahead logging, every open connection has a shared lock.
        config.setLockingMode(LockingMode.EXCLUSIVE);
        Connection connection = null;
        try {
            connection = config.createConnection("jdbc:sqlite:" + path);
            try (Statement statement = connection.createStatement()) {
                statement.execute("begin exclusive");
                statement.execute("rollback");
                statement.execute("pragma query_only = true");
            }
            return connection;
        } catch (SQLException e) {
            JdbcUtils.closeConnection(connection);
            DataAccessException translated = exceptionTranslator().translate("open the file", null, e);
            throw translated == null ? new UncategorizedSQLException("open the file", null, e) : translated;
        }
    }

    /** Returns a translator of SQLite's result codes, for which the driver gives no SQL state. */
    public static SQLExceptionTranslator exceptionTranslator() {
        return new SqliteExceptionTranslator();
    }
}
