package io.credential.benchmarks.dispatcher;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;

import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.LocalDispatcher;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;

/**
 * Measures how a transaction that is held open slows down the delivery of backlogs, on PostgreSQL with one endpoint. The
 * yardstick is the same on a second server without such a transaction; turns alternate. The transaction stays open
 * through all rounds, until backlogs have been stored and delivered beside it for a third of the minutes of the soak.
 * Goal: the median of the settle rates is at least 0.8 of the yardstick.
 */
final class HeldTransactionBenchmark implements Benchmark {

    private static final String FREE = "settled/s";
    private static final String HELD = "settled/s, held";
    private static final int SOAKS_PER_TIME = 3;

    @Override
    public void run(Scale scale, BenchmarkReceiver receiver, Table table) throws Exception {
        try (Side free = Side.create(receiver);
                Side beside = Side.create(receiver)) {
            int deliveries = scale.deliveries();
            free.warmUp(deliveries);
            beside.warmUp(deliveries);
            long limit = TimeUnit.MINUTES.toNanos(scale.minutes()) / SOAKS_PER_TIME;
            Turns turns = new Turns();
            Turns last = new Turns();
            long worked = 0;
            HeldTransaction held = HeldTransaction.begin(beside.database());
            try {
                for (int round = 0; round < scale.rounds() || worked < limit; round++) {
                    last = new Turns();
                    double settled = free.settledPerSecond(deliveries);
                    long start = System.nanoTime();
                    double settledHeld = beside.settledPerSecond(deliveries);
                    worked += System.nanoTime() - start;
                    for (Turns each : new Turns[] {turns, last}) {
                        each.add(FREE, settled);
                        each.add(HELD, settledHeld);
                    }
                }
            } finally {
                held.close();
            }
            table.ratioAtLeast("held transaction, endpoints: 1", turns, HELD, FREE, HeldTransaction.LOWEST_RATE);
            table.ratio("held transaction, last round", last, HELD, FREE, "");
        }
    }

    /** A server with a dispatcher. */
    private record Side(BenchmarkDatabase database, LocalDispatcher dispatcher) implements AutoCloseable {

        static Side create(BenchmarkReceiver receiver) throws Exception {
            BenchmarkDatabase database = BenchmarkDatabase.postgres();
            return new Side(database, new LocalDispatcher(database.open(), receiver.bareUrls(1)));
        }

        void warmUp(int deliveries) throws InterruptedException, SQLException {
            settledPerSecond(deliveries);
            try (Connection connection = database.control().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("vacuum analyze _credential_webhook_deliveries");
            }
        }

        double settledPerSecond(int deliveries) throws InterruptedException {
            Backlog backlog = new Backlog(database, dispatcher);
            backlog.store(deliveries);
            return backlog.settledPerSecond(deliveries);
        }

        @Override
        public void close() {
            dispatcher.close();
            database.close();
        }
    }
}
