package io.credential.benchmarks.host;

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.credential.benchmarks.Harness;
import io.credential.benchmarks.Load;
import io.credential.benchmarks.Profile;
import io.credential.benchmarks.SampleClient;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.benchmarks.host.HostProcess.Variant;

/**
 * Measures {@code GET /orders} of the host application on PostgreSQL with the starter, which verifies the key and checks the
 * scope, beside the same application without it. {@value #THREADS} threads call without a pause, and turns alternate. Argument:
 * {@code smoke}, {@code short} or none. Goal: 0.85 of the requests per second without the starter.
 */
public final class HttpVerifyBenchmark {

    /** A page, and as many as the sample returns at most. */
    private static final List<Integer> SIZES = List.of(100, 1000);

    /** Compiling the code takes tens of thousands of requests. */
    private static final int WARM_UP_ROUNDS = 10;

    private static final double GOAL = 0.85;
    private static final int THREADS = 8;

    private HttpVerifyBenchmark() {}

    public static void main(String[] arguments) {
        Harness.main("http", arguments, HttpVerifyBenchmark::measure);
    }

    static void measure(Profile profile, Table table) throws Exception {
        try (HostDatabase database = HostDatabase.create();
                Hosts hosts = Hosts.start(database)) {
            for (int orders : SIZES) {
                int calls =
                        orders == SIZES.get(0) ? profile.choose(50, 4_000, 20_000) : profile.choose(20, 1_000, 5_000);
                database.fillOrders(orders);
                if (orders == SIZES.get(0) && profile != Profile.SMOKE) {
                    Turns.takeCold(WARM_UP_ROUNDS, round -> hosts.measure(calls, round));
                }
                Turns turns = Turns.take(profile.choose(1, 5, 15), round -> hosts.measure(calls, round));
                report("GET /orders, %,d orders".formatted(orders), table, turns);
            }
        }
    }

    private static void measure(Variant variant, SampleClient client, int calls, Turns turns) throws Exception {
        long[] nanos = new long[calls];
        Load.Result result = new Load(THREADS, calls, number -> {
                    long start = System.nanoTime();
                    client.orders();
                    nanos[number] = System.nanoTime() - start;
                })
                .run();
        Arrays.sort(nanos);
        turns.add(variant + ", requests/s", result.perSecond());
        turns.add(variant + ", p50 ms", nanos[calls / 2] / 1e6);
        turns.add(variant + ", p99 ms", nanos[calls * 99 / 100] / 1e6);
    }

    private static void report(String row, Table table, Turns turns) {
        for (String unit : new String[] {", requests/s", ", p50 ms", ", p99 ms"}) {
            for (Variant variant : new Variant[] {Variant.WITH, Variant.CACHING}) {
                if (unit.endsWith("/s") && variant == Variant.WITH) {
                    table.ratioAtLeast(row, turns, variant + unit, Variant.WITHOUT + unit, GOAL);
                } else {
                    table.ratio(row, turns, variant + unit, Variant.WITHOUT + unit, "");
                }
            }
        }
    }

    /** A process of each variant, with a client. */
    private static final class Hosts implements AutoCloseable {

        private final Map<Variant, HostProcess> processes = new EnumMap<>(Variant.class);
        private final Map<Variant, SampleClient> clients = new EnumMap<>(Variant.class);

        static Hosts start(HostDatabase database) throws IOException, InterruptedException {
            Hosts hosts = new Hosts();
            try {
                for (Variant variant : Variant.values()) {
                    HostProcess process = new HostProcess(variant, database);
                    hosts.processes.put(variant, process);
                    hosts.clients.put(variant, process.client("orders:read"));
                }
            } catch (IOException | InterruptedException | RuntimeException e) {
                hosts.close();
                throw e;
            }
            return hosts;
        }

        void measure(int calls, Turns round) throws Exception {
            for (Map.Entry<Variant, SampleClient> host : clients.entrySet()) {
                HttpVerifyBenchmark.measure(host.getKey(), host.getValue(), calls, round);
            }
        }

        @Override
        public void close() throws IOException {
            clients.values().forEach(SampleClient::close);
            for (HostProcess process : processes.values()) {
                process.close();
            }
        }
    }
}
