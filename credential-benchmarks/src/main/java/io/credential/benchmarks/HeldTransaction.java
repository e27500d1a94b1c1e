package io.credential.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A transaction that stays open with its snapshot, such as that of a report or a backup. PostgreSQL cannot remove the
 * rows and index entries that were replaced or deleted meanwhile.
 */
final class HeldTransaction implements AutoCloseable {

    private final Connection connection;

    private HeldTransaction(Connection connection) {
        this.connection = connection;
    }

    static HeldTransaction begin(BenchmarkDatabase database) throws SQLException {
        Connection connection = database.pool().getConnection();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = connection.createStatement()) {
            statement.execute("select count(*) from _credential_leases");
        }
        return new HeldTransaction(connection);
    }

    @Override
    public void close() throws SQLException {
        connection.rollback();
        connection.setAutoCommit(true);
        connection.close();
    }
}
