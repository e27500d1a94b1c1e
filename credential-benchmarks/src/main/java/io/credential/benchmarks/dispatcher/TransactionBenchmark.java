package io.credential.benchmarks.dispatcher;

import java.lang.management.ManagementFactory;
import java.util.concurrent.ExecutionException;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.Load;
import io.credential.benchmarks.LocalDispatcher;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Measures how long a transaction takes that inserts a row and calls {@code dispatch}, on PostgreSQL with 1 and 16
 * threads, while the events are delivered to one endpoint. The yardstick is the same transaction without {@code
 * dispatch}. A turn runs a tenth as many transactions as other benchmarks have deliveries.
 */
final class TransactionBenchmark implements Benchmark {

    private static final String WITHOUT = "insert, ms";
    private static final String WITH = "insert and dispatch, ms";

    @Override
    public void run(Scale scale, BenchmarkReceiver receiver, Table table) throws Exception {
        try (BenchmarkDatabase benchmarked = BenchmarkDatabase.postgres()) {
            CredentialDatabase database = benchmarked.open();
            database.jdbc()
                    .sql("create table orders (id bigserial primary key, item text not null)")
                    .update();
            try (LocalDispatcher dispatcher = new LocalDispatcher(database, receiver.bareUrls(1))) {
                dispatcher.start();
                for (int threads : new int[] {1, 16}) {
                    int transactions = scale.deliveries() / 10;
                    Load without = new Load(threads, transactions, number -> insert(database, () -> {}));
                    Load with = new Load(
                            threads, transactions, number -> insert(database, () -> dispatcher.dispatch(number)));
                    Turns turns = Turns.take(scale.rounds(), round -> {
                        round.add(WITHOUT, without.run().millisPerCall());
                        round.add(WITH, millis(with, benchmarked));
                    });
                    String costs = new CostMeter(benchmarked, ManagementFactory.getPlatformMBeanServer())
                            .perDelivery(transactions, () -> millis(with, benchmarked));
                    table.ratio("transaction, threads: " + threads, turns, WITH, WITHOUT, costs);
                }
            }
        }
    }

    /** Does not return before all is delivered, but does not count the wait. */
    private static double millis(Load load, BenchmarkDatabase database)
            throws InterruptedException, ExecutionException {
        double millis = load.run().millisPerCall();
        database.awaitSettled();
        return millis;
    }

    private static void insert(CredentialDatabase database, Runnable dispatch) {
        JdbcClient jdbc = database.jdbc();
        database.inTransaction(() -> {
            jdbc.sql("insert into orders (item) values (:item)")
                    .param("item", "kettle")
                    .update();
            dispatch.run();
            return null;
        });
    }
}
