package io.credential.benchmarks.dispatcher;

import java.io.IOException;
import java.lang.management.ManagementFactory;

import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.LocalDispatcher;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Measures how many stored deliveries are delivered and settled per second, on PostgreSQL and SQLite, with 1 and 20
 * endpoints. The yardstick is a bare loop of the same signed posts through the same transport with as many in flight.
 */
final class BacklogBenchmark implements Benchmark {

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
                Backlog backlog = new Backlog(benchmarked, dispatcher);
                Turns turns = Turns.take(scale.rounds(), round -> {
                    round.add("bare posts/s", dispatcher.bare().perSecond(deliveries));
                    backlog.store(deliveries);
                    round.add("settled/s", backlog.settledPerSecond(deliveries));
                });
                backlog.store(deliveries);
                String costs = new CostMeter(benchmarked, ManagementFactory.getPlatformMBeanServer())
                        .perDelivery(deliveries, () -> backlog.settledPerSecond(deliveries));
                table.ratio(
                        "backlog, " + name + ", endpoints: " + endpoints, turns, "settled/s", "bare posts/s", costs);
            }
        }
    }

    private interface Databases {

        BenchmarkDatabase create() throws IOException;
    }
}
