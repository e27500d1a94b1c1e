package io.credential.benchmarks.scale;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.Harness;
import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;

/**
 * Measures how long a dispatch in a transaction, a claim with its outcome, and a verification take in tables with up to ten
 * million deliveries and keys, on PostgreSQL and SQLite. The yardstick is the same with ten thousand rows; turns alternate.
 * Goal: 1.3 of the yardstick.
 */
public final class GrowthBenchmark {

    private static final double GOAL = 1.3;

    private GrowthBenchmark() {}

    public static void main(String[] arguments) {
        Harness.main("growth", arguments, GrowthBenchmark::measure);
    }

    static void measure(Profile profile, Table table) throws Exception {
        List<Integer> sizes =
                profile.choose(List.of(1_000, 5_000), List.of(10_000, 250_000), List.of(10_000, 1_000_000, 10_000_000));
        measure("PostgreSQL", BenchmarkDatabase::postgres, StoredRows.POSTGRES, sizes, profile, table);
        measure("SQLite", BenchmarkDatabase::sqlite, StoredRows.SQLITE, sizes, profile, table);
    }

    private static void measure(
            String name, Databases databases, StoredRows stored, List<Integer> sizes, Profile profile, Table table)
            throws Exception {
        List<GrownDatabase> grown = new ArrayList<>();
        try {
            for (int size : sizes) {
                long start = System.nanoTime();
                grown.add(GrownDatabase.fill(databases.create(), stored, size));
                System.out.printf("%s with %,d rows filled in %.0f s%n", name, size, (System.nanoTime() - start) / 1e9);
            }
            int count = profile.choose(200, 5_000, 10_000);
            Turns turns = Turns.take(profile.choose(1, 5, 5), round -> {
                for (Operation operation : Operation.values()) {
                    for (int i = 0; i < grown.size(); i++) {
                        round.add(operation.row(sizes.get(i)), operation.micros(grown.get(i), count));
                    }
                }
            });
            for (Operation operation : Operation.values()) {
                for (int size : sizes.subList(1, sizes.size())) {
                    table.ratioAtMost("growth, " + name, turns, operation.row(size), operation.row(sizes.get(0)), GOAL);
                }
            }
        } finally {
            grown.forEach(GrownDatabase::close);
        }
    }

    private interface Databases {

        BenchmarkDatabase create() throws IOException;
    }

    private enum Operation {
        DISPATCH("dispatch") {
            @Override
            double micros(GrownDatabase database, int count) {
                return database.dispatchMicros(count);
            }
        },
        CLAIM("claim") {
            @Override
            double micros(GrownDatabase database, int count) throws Exception {
                return database.claimMicros(count);
            }
        },
        VERIFY("verify") {
            private static final int CALLS_PER_DELIVERY = 4;

            @Override
            double micros(GrownDatabase database, int count) throws Exception {
                return database.verifyMicros(CALLS_PER_DELIVERY * count);
            }
        };

        private final String text;

        Operation(String text) {
            this.text = text;
        }

        abstract double micros(GrownDatabase database, int count) throws Exception;

        String row(int size) {
            return "%s us, %,d rows".formatted(text, size);
        }
    }
}
