package io.credential.storage;

import java.sql.Connection;
import java.sql.SQLException;

import org.springframework.jdbc.core.JdbcTemplate;
import org.sqlite.SQLiteConfig.TransactionMode;
import org.sqlite.SQLiteConnection;

/** All that {@link CredentialDatabase} needs of the SQLite driver, which is absent from applications on PostgreSQL. */
final class SqliteSupport {

    private SqliteSupport() {}

    /**
     * Whether the connections begin transactions as SQLite does by default: without the write lock.
     *
     * @throws UnsupportedDatabaseException if the driver begins them in its own, broken way
     */
    static boolean beginsWithoutWriteLock(JdbcTemplate template, String product) {
        return Boolean.TRUE.equals(
                template.execute((Connection connection) -> beginsWithoutWriteLock(connection, product)));
    }

    private static boolean beginsWithoutWriteLock(Connection connection, String product) throws SQLException {
        if (connection.isWrapperFor(SqliteConnection.class)) {
            return false;
        }
        if (connection.isWrapperFor(SQLiteConnection.class)) {
            SQLiteConnection stock = connection.unwrap(SQLiteConnection.class);
            TransactionMode mode = stock.getConnectionConfig().getTransactionMode();
            if (mode != TransactionMode.DEFERRED) {
                throw new UnsupportedDatabaseException(
                        product + " with transaction_mode=" + mode,
                        "in this mode the driver loses the transaction when the database is busy; remove "
                                + "transaction_mode from the DataSource, or use SqliteDataSource.pooled(path)");
            }
        }
        return true;
    }

    static SqliteExceptionTranslator exceptionTranslator() {
        return new SqliteExceptionTranslator();
    }
}
