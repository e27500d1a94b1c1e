package io.credential.storage.sqlite;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.sqlite.SQLiteConfig.TransactionMode;
import org.sqlite.SQLiteConnection;

/**
 * Isolates the SQLite driver, which is absent from applications on PostgreSQL, from other packages.
 *
 * @since 0.1.0
 */
public final class SqliteDriver {

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

    /** Returns a translator of SQLite's result codes, for which the driver gives no SQL state. */
    public static SQLExceptionTranslator exceptionTranslator() {
        return new SqliteExceptionTranslator();
    }
}
