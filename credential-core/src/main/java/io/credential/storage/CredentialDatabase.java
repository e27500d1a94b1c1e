package io.credential.storage;

import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;

import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * The database that everything is stored in: a PostgreSQL 14 or newer, or a SQLite file. Statements run in the caller's
 * transaction when there is one on the same DataSource. Thread-safe.
 *
 * @since 0.1.0
 */
public final class CredentialDatabase {

    /**
     * Over a DataSource with a transaction manager of its own.
     *
     * @throws UnsupportedDatabaseException if it is neither PostgreSQL 14+ nor SQLite
     */
    public static CredentialDatabase of(DataSource dataSource) {
        throw new UnsupportedOperationException();
    }

    /**
     * Over a DataSource whose transactions this manager runs.
     *
     * @throws UnsupportedDatabaseException if it is neither PostgreSQL 14+ nor SQLite
     */
    public static CredentialDatabase of(DataSource dataSource, PlatformTransactionManager transactions) {
        throw new UnsupportedOperationException();
    }

    public DataSource dataSource() {
        throw new UnsupportedOperationException();
    }

    /** What this database does differently. */
    public SqlDialect dialect() {
        throw new UnsupportedOperationException();
    }

    /** Runs statements, each on its own or in the transaction of the thread. */
    public JdbcClient jdbc() {
        throw new UnsupportedOperationException();
    }

    /**
     * Runs one statement once for each set of named parameters, in one round trip where the driver can.
     *
     * @return the number of rows that each changed
     */
    public int[] batchUpdate(String sql, List<SqlParameterSource> parameters) {
        throw new UnsupportedOperationException();
    }

    /** Runs work in the caller's transaction, or in one of its own that is rolled back when the work throws. */
    public <T> T inTransaction(Supplier<T> work) {
        throw new UnsupportedOperationException();
    }

    /** Runs an action when the transaction of this thread has committed; at once when there is none; not after a roll-back. */
    public void afterCommit(Runnable action) {
        throw new UnsupportedOperationException();
    }
}
