package io.credential.benchmarks.dispatcher;

import java.lang.management.ManagementFactory;

import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.Load;
import io.credential.benchmarks.LocalDispatcher;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;

/**
 * Measures how many deliveries are settled per second while 16 threads call {@code enqueue} outside transactions, from
 * the first call until all are settled, on PostgreSQL with one endpoint. The yardstick is a bare loop of the same signed
 * posts through the same transport. Goal: 0.35.
 */
final class EnqueueBenchmark implements Benchmark {

    private static final int THREADS = 16;
    private static final double GOAL = 0.35;

    @Override
    public void run(Scale scale, BenchmarkReceiver receiver, Table table) throws Exception {
        try (BenchmarkDatabase database = BenchmarkDatabase.postgres();
                LocalDispatcher dispatcher = new LocalDispatcher(database.open(), receiver.bareUrls(1))) {
            dispatcher.start();
            int deliveries = scale.deliveries();
            Turns turns = Turns.take(scale.rounds(), round -> {
                round.add("bare posts/s", dispatcher.bare().perSecond(deliveries));
                round.add("settled/s", settledPerSecond(database, dispatcher, deliveries));
            });
            String costs = new CostMeter(database, ManagementFactory.getPlatformMBeanServer())
                    .perDelivery(deliveries, () -> settledPerSecond(database, dispatcher, deliveries));
            table.ratioAtLeast("enqueue, threads: " + THREADS, turns, "settled/s", "bare posts/s", GOAL, costs);
        }
    }

    private static double settledPerSecond(BenchmarkDatabase database, LocalDispatcher dispatcher, int deliveries)
            throws Exception {
        long start = System.nanoTime();
        new Load(THREADS, deliveries, dispatcher::enqueue).run();
        database.awaitSettled();
        return deliveries / ((System.nanoTime() - start) / 1e9);
    }
}
