package io.credential.storage;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * How the connections of a PostgreSQL DataSource begin transactions when nobody asks for anything else.
 *
 * @param autoCommits whether a statement outside a transaction commits by itself
 * @param isReadCommitted whether a transaction sees what others have committed before each statement
 */
record SessionDefaults(boolean autoCommits, boolean isReadCommitted) {

    static final SessionDefaults STANDARD = new SessionDefaults(true, true);

    private static final SessionDefaults UNKNOWN = new SessionDefaults(false, false);

    /** A connection of a transaction does not tell: the transaction has changed it. */
    static SessionDefaults of(JdbcTemplate template) {
        return TransactionSynchronizationManager.hasResource(Objects.requireNonNull(template.getDataSource()))
                ? UNKNOWN
                : Objects.requireNonNull(template.execute((Connection connection) -> of(connection)));
    }

    /** Whether nothing need be done about them. */
    boolean isStandard() {
        return autoCommits && isReadCommitted;
    }

    private static SessionDefaults of(Connection connection) throws SQLException {
        return new SessionDefaults(
                connection.getAutoCommit(),
                connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED);
    }
}
