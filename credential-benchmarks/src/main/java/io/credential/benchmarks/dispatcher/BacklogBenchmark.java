package io.credential.benchmarks.dispatcher;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.OptionalDouble;

import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.LocalDispatcher;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Measures how many stored deliveries are delivered and settled per second, on PostgreSQL and SQLite, with 1 and 20
 * endpoints. The yardstick is a bare loop of the same signed posts through the same transport with as many in flight.
 * Goal for PostgreSQL: 0.5.
 */
final class BacklogBenchmark implements Benchmark {

    private static final OptionalDouble POSTGRES_GOAL = OptionalDouble.of(0.5);

    @Override
    public void run(Scale scale, BenchmarkReceiver receiver, Table table) throws Exception {
        for (int endpoints : new int[] {1, 20}) {
            measure("PostgreSQL", BenchmarkDatabase::postgres, endpoints, POSTGRES_GOAL, scale, receiver, table);
            measure("SQLite", BenchmarkDatabase::sqlite, endpoints, OptionalDouble.empty(), scale, receiver, table);
        }
    }

    private static void measure(
            String name,
            Databases databases,
            int endpoints,
            OptionalDouble goal,
            Scale scale,
            BenchmarkReceiver receiver,
            Table table)
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
                String row = "backlog, " + name + ", endpoints: " + endpoints;
                if (goal.isPresent()) {
                    table.ratioAtLeast(row, turns, "settled/s", "bare posts/s", goal.getAsDouble(), costs);
                } else {
                    table.ratio(row, turns, "settled/s", "bare posts/s", costs);
                }
            }
        }
    }

    private interface Databases {

        BenchmarkDatabase create() throws IOException;
    }
}
