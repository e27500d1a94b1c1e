package io.credential.benchmarks.dispatcher;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import io.credential.benchmarks.BenchmarkDatabase;

/**
 * A transaction that stays open with its snapshot, such as that of a report or a backup. PostgreSQL cannot remove the
 * rows and index entries that were replaced or deleted meanwhile.
 */
final class HeldTransaction implements AutoCloseable {

    /** The goal for the settle rate, as a fraction of the rate without a held transaction. */
    static final double LOWEST_RATE = 0.8;

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

    static void requireRate(double ratio) {
        if (ratio < LOWEST_RATE) {
            throw new IllegalStateException(
                    "With a transaction held open, the settle rate fell to %.2f of the rate without one"
                            .formatted(ratio));
        }
    }

    @Override
    public void close() throws SQLException {
        connection.rollback();
        connection.setAutoCommit(true);
        connection.close();
    }
}
