package io.credential.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;

import io.credential.storage.CredentialDatabase;

/**
 * Measures how many stored deliveries are delivered and settled per second, on PostgreSQL and SQLite, with 1 and 20
 * endpoints. The yardstick is a bare loop of the same signed posts through the same transport with as many in flight.
 */
final class BacklogBenchmark implements Benchmark {

    private static final int STORED_PER_TRANSACTION = 1000;

    @Override
    public void run(Scale scale, BenchmarkReceiver receiver, Table table) throws Exception {
        for (int endpoints : new int[] {1, 20}) {
            measure("PostgreSQL", BenchmarkDatabase::postgres, endpoints, scale, receiver, table);
            measure("SQLite", BenchmarkDatabase::sqlite, endpoints, scale, receiver, table);
        }
    }

    private static void measure(
            String name, Databases databases, int endpoints, Scale scale, BenchmarkReceiver receiver, Table table)
            throws Exception {
        try (BenchmarkDatabase benchmarked = databases.create()) {
            CredentialDatabase database = benchmarked.open();
            try (LocalDispatcher dispatcher = new LocalDispatcher(database, receiver.bareUrls(endpoints))) {
                int deliveries = scale.deliveries();
                Turns turns = Turns.take(scale.rounds(), round -> {
                    round.add("bare posts/s", dispatcher.bare().perSecond(deliveries));
                    store(database, dispatcher, deliveries);
                    round.add("settled/s", settledPerSecond(benchmarked, dispatcher, deliveries));
                });
                store(database, dispatcher, deliveries);
                String costs = new CostMeter(benchmarked, ManagementFactory.getPlatformMBeanServer())
                        .perDelivery(deliveries, () -> settledPerSecond(benchmarked, dispatcher, deliveries));
                table.ratio(
                        "backlog, " + name + ", endpoints: " + endpoints, turns, "settled/s", "bare posts/s", costs);
            }
        }
    }

    private static void store(CredentialDatabase database, LocalDispatcher dispatcher, int deliveries) {
        for (int first = 0; first < deliveries; first += STORED_PER_TRANSACTION) {
            int start = first;
            database.inTransaction(() -> {
                for (int i = start; i < Math.min(start + STORED_PER_TRANSACTION, deliveries); i++) {
                    dispatcher.enqueue(i);
                }
                return null;
            });
        }
    }

    private static double settledPerSecond(BenchmarkDatabase database, LocalDispatcher dispatcher, int deliveries)
            throws InterruptedException {
        long start = System.nanoTime();
        dispatcher.start();
        database.awaitSettled();
        double seconds = (System.nanoTime() - start) / 1e9;
        dispatcher.stop();
        return deliveries / seconds;
    }

    private interface Databases {

        BenchmarkDatabase create() throws IOException;
    }
}
