package io.credential.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Measures how a transaction that is held open, such as that of a report or a backup, slows down the delivery of a backlog:
 * PostgreSQL cannot remove the rows and index entries that have been dealt with meanwhile. The yardstick is the same backlog
 * without such a transaction.
 */
final class HeldTransactionBenchmark implements Benchmark {

    /** Also the question whether all is settled steps over what cannot be removed. */
    private static final long POLL_MILLIS = 100;

    @Override
    public void run(Scale scale, BenchmarkReceiver receiver, Table table) throws Exception {
        try (BenchmarkDatabase database = BenchmarkDatabase.postgres();
                LocalDispatcher dispatcher = new LocalDispatcher(database.open(), receiver.bareUrls(1))) {
            Backlog backlog = new Backlog(database, dispatcher);
            int deliveries = scale.deliveries();
            Turns turns = Turns.take(scale.rounds(), round -> {
                backlog.store(deliveries);
                vacuum(database);
                round.add("settled/s", backlog.settledPerSecond(deliveries, POLL_MILLIS));
                backlog.store(deliveries);
                vacuum(database);
                try (Connection held = database.pool().getConnection()) {
                    hold(held);
                    round.add("settled/s, held", backlog.settledPerSecond(deliveries, POLL_MILLIS));
                    held.rollback();
                    held.setAutoCommit(true);
                }
            });
            table.ratio("held transaction, endpoints: 1", turns, "settled/s, held", "settled/s", "");
        }
    }

    private static void hold(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = connection.createStatement()) {
            statement.execute("select count(*) from _credential_leases");
        }
    }

    private static void vacuum(BenchmarkDatabase database) throws SQLException {
        try (Connection connection = database.control().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("vacuum analyze _credential_webhook_deliveries");
        }
    }
}
