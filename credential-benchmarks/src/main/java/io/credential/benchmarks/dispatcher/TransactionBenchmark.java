package io.credential.benchmarks.dispatcher;

import java.lang.management.ManagementFactory;
import java.util.concurrent.ExecutionException;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.Load;
import io.credential.benchmarks.LocalDispatcher;
import io.credential.benchmarks.Percentile;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Measures how long a transaction takes that inserts a row and calls {@code dispatch}, on PostgreSQL with 1 and 16
 * threads, while the events are delivered to one endpoint. The yardstick is the same transaction without {@code
 * dispatch}; goals: 1.3 and 2. A turn runs a tenth as many transactions as other benchmarks have deliveries.
 *
 * <p>With 16 threads, the 99th percentile is also measured while a backlog of as many deliveries is delivered. The yardstick
 * is that without a backlog; goal: 1.5.
 */
final class TransactionBenchmark implements Benchmark {

    private static final int THREADS = 16;
    private static final double GOAL_OF_ONE_THREAD = 1.3;
    private static final double GOAL = 2;
    private static final double GOAL_WITH_BACKLOG = 1.5;

    private static final String WITHOUT = "insert, ms";
    private static final String WITH = "insert and dispatch, ms";
    private static final String P99 = "p99 ms";
    private static final String P99_WITH_BACKLOG = "p99 ms with a backlog";

    @Override
    public void run(Scale scale, BenchmarkReceiver receiver, Table table) throws Exception {
        try (BenchmarkDatabase benchmarked = BenchmarkDatabase.postgres()) {
            CredentialDatabase database = benchmarked.open();
            database.jdbc()
                    .sql("create table orders (id bigserial primary key, item text not null)")
                    .update();
            try (LocalDispatcher dispatcher = new LocalDispatcher(database, receiver.bareUrls(1))) {
                Transactions transactions = new Transactions(benchmarked, database, dispatcher);
                dispatcher.start();
                measure(transactions, 1, GOAL_OF_ONE_THREAD, scale, table);
                measure(transactions, THREADS, GOAL, scale, table);
                Turns turns = Turns.take(scale.rounds(), round -> {
                    round.add(P99, transactions.p99(scale.deliveries() / 2));
                    dispatcher.stop();
                    new Backlog(benchmarked, dispatcher).store(scale.deliveries());
                    dispatcher.start();
                    round.add(P99_WITH_BACKLOG, transactions.p99(scale.deliveries() / 2));
                });
                table.ratioAtMost("transaction, threads: " + THREADS, turns, P99_WITH_BACKLOG, P99, GOAL_WITH_BACKLOG);
            }
        }
    }

    private static void measure(Transactions transactions, int threads, double goal, Scale scale, Table table)
            throws Exception {
        int number = scale.deliveries() / 10;
        Load without = new Load(threads, number, i -> transactions.insert());
        Load with = new Load(threads, number, transactions::insertAndDispatch);
        Turns turns = Turns.take(scale.rounds(), round -> {
            round.add(WITHOUT, without.run().millisPerCall());
            round.add(WITH, transactions.millis(with));
        });
        String costs = new CostMeter(transactions.benchmarked(), ManagementFactory.getPlatformMBeanServer())
                .perDelivery(number, () -> transactions.millis(with));
        table.ratioAtMost("transaction, threads: " + threads, turns, WITH, WITHOUT, goal, costs);
    }

    /** What the callers run. */
    private record Transactions(
            BenchmarkDatabase benchmarked, CredentialDatabase database, LocalDispatcher dispatcher) {

        void insert() {
            insertAnd(() -> {});
        }

        void insertAndDispatch(int number) {
            insertAnd(() -> dispatcher.dispatch(number));
        }

        private void insertAnd(Runnable dispatch) {
            JdbcClient jdbc = database.jdbc();
            database.inTransaction(() -> {
                jdbc.sql("insert into orders (item) values (:item)")
                        .param("item", "kettle")
                        .update();
                dispatch.run();
                return null;
            });
        }

        /** Does not return before all is delivered, but does not count the wait. */
        double millis(Load load) throws InterruptedException, ExecutionException {
            double millis = load.run().millisPerCall();
            benchmarked.awaitSettled();
            return millis;
        }

        /** The same, for the slowest of these transactions but one percent. */
        double p99(int transactions) throws InterruptedException, ExecutionException {
            double[] millis = new double[transactions];
            new Load(THREADS, transactions, number -> {
                        long start = System.nanoTime();
                        insertAndDispatch(number);
                        millis[number] = (System.nanoTime() - start) / 1e6;
                    })
                    .run();
            benchmarked.awaitSettled();
            return Percentile.of(millis, 99);
        }
    }
}
