package io.credential.storage.internal;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.credential.storage.UnsupportedDatabaseException;
import io.credential.storage.internal.sqlite.SqliteDriver;

/**
 * What a connection tells about its database.
 *
 * @param readCommitted whether a transaction sees what others have committed before each statement, unless it asks for
 *     anything else
 * @param firstOfTransaction the statement that each transaction begins with; null if there is none
 */
record DatabaseTraits(
        SqlDialect dialect, boolean readCommitted, @Nullable String firstOfTransaction) {

    static final String READ_COMMITTED = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED";

    /** Takes SQLite's write lock and changes nothing. */
    private static final String TAKE_WRITE_LOCK = "update _credential_key_checks set key_id = key_id where 0";

    /** @throws UnsupportedDatabaseException if it is neither PostgreSQL 14+ nor SQLite, or the driver is misconfigured */
    static DatabaseTraits read(JdbcTemplate template) {
        Product product = Product.of(template);
        if (product.dialect() == SqlDialect.SQLITE) {
            // Otherwise the first write after a read fails when another connection has written in between.
            return new DatabaseTraits(
                    SqlDialect.SQLITE, true, beginsWithoutWriteLock(template, product.name()) ? TAKE_WRITE_LOCK : null);
        }
        boolean readCommitted = isReadCommitted(template);
        // Otherwise a statement fails when it meets a row that has changed since the first one.
        return new DatabaseTraits(product.dialect(), readCommitted, readCommitted ? null : READ_COMMITTED);
    }

    /**
     * Whether the connections begin transactions as SQLite does by default: without the write lock.
     *
     * @throws UnsupportedDatabaseException if the driver begins them in its own, broken way
     */
    private static boolean beginsWithoutWriteLock(JdbcTemplate template, String product) {
        Optional<String> mode = Objects.requireNonNull(
                template.execute((Connection connection) -> SqliteDriver.transactionMode(connection)));
        mode.filter(name -> !name.equals("DEFERRED")).ifPresent(name -> {
            throw new UnsupportedDatabaseException(
                    product + " with transaction_mode=" + name,
                    "in this mode the driver loses the transaction when the database is busy; remove "
                            + "transaction_mode from the DataSource, or use SqliteDataSource.pooled(path)");
        });
        return mode.isPresent();
    }

    /** A connection that the thread has already does not tell: its transaction may have asked for its isolation. */
    private static boolean isReadCommitted(JdbcTemplate template) {
        return !TransactionSynchronizationManager.hasResource(Objects.requireNonNull(template.getDataSource()))
                && Objects.requireNonNull(template.execute((Connection connection) ->
                        connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED));
    }

    private record Product(SqlDialect dialect, String name) {

        static Product of(JdbcTemplate template) {
            Product product = template.execute((Connection connection) -> of(connection.getMetaData()));
            if (product == null) {
                throw new IllegalStateException("The JDBC driver provides no metadata");
            }
            return product;
        }

        private static Product of(DatabaseMetaData metaData) throws SQLException {
            String name = metaData.getDatabaseProductName();
            String version = metaData.getDatabaseProductVersion();
            return new Product(SqlDialect.of(name, metaData.getDatabaseMajorVersion(), version), name + " " + version);
        }
    }
}
