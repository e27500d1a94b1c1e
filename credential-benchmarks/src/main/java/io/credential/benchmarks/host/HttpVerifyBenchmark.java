package io.credential.benchmarks.host;

import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.credential.benchmarks.Harness;
import io.credential.benchmarks.Load;
import io.credential.benchmarks.Percentile;
import io.credential.benchmarks.Profile;
import io.credential.benchmarks.SampleClient;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.benchmarks.host.HostProcess.Variant;

/**
 * Measures {@code GET /orders} of the host application on PostgreSQL with the starter, which verifies the key and checks the
 * scope. {@value #THREADS} threads call without a pause, and turns alternate. Argument: {@code smoke}, {@code short} or none.
 *
 * <p>The yardstick of the goal is the same application with Spring Security in the same configuration, but with a chain that
 * permits every request: the difference is what the starter costs. Goal: 0.85 of its requests per second. The application
 * without Spring Security is shown for information: Spring Security's filters and response headers are the rest of that
 * difference.
 */
public final class HttpVerifyBenchmark {

    /** A page, and as many as the sample returns at most. */
    private static final List<Integer> SIZES = List.of(100, 1000);

    private static final String RATE = ", requests/s";
    private static final double GOAL = 0.85;
    private static final int THREADS = 8;

    /** Compiling the code takes tens of thousands of requests, and ends sooner if these leave it a processor. */
    private static final int WARM_UP_ROUNDS = 16;

    private static final int WARM_UP_CALLS = 2_000;
    private static final int WARM_UP_THREADS = 2;

    private HttpVerifyBenchmark() {}

    public static void main(String[] arguments) {
        Harness.main("http", arguments, HttpVerifyBenchmark::measure);
    }

    static void measure(Profile profile, Table table) throws Exception {
        try (HostDatabase database = HostDatabase.create();
                Hosts hosts = Hosts.start(database)) {
            if (profile != Profile.SMOKE) {
                database.fillOrders(1);
                Turns.takeCold(WARM_UP_ROUNDS, round -> hosts.measure(WARM_UP_THREADS, WARM_UP_CALLS, round));
            }
            for (int orders : SIZES) {
                int calls = orders == SIZES.get(0) ? profile.choose(50, 3_000, 20_000) : profile.choose(20, 500, 5_000);
                database.fillOrders(orders);
                Turns turns = Turns.take(profile.choose(1, 5, 15), round -> hosts.measure(THREADS, calls, round));
                report("GET /orders, %,d orders".formatted(orders), table, turns);
            }
        }
    }

    private static void measure(Variant variant, SampleClient client, int threads, int calls, Turns turns)
            throws Exception {
        double[] millis = new double[calls];
        Load.Result result = new Load(threads, calls, number -> {
                    long start = System.nanoTime();
                    client.orders();
                    millis[number] = (System.nanoTime() - start) / 1e6;
                })
                .run();
        turns.add(variant + RATE, result.perSecond());
        turns.add(variant + ", p50 ms", Percentile.of(millis, 50));
        turns.add(variant + ", p99 ms", Percentile.of(millis, 99));
    }

    private static void report(String row, Table table, Turns turns) {
        for (Variant variant : new Variant[] {Variant.WITH, Variant.CACHING}) {
            table.ratioAtLeast(row, turns, variant + RATE, Variant.SECURITY + RATE, GOAL);
        }
        for (Variant variant : new Variant[] {Variant.SECURITY, Variant.WITH, Variant.CACHING}) {
            table.ratio(row, turns, variant + RATE, Variant.WITHOUT + RATE, "");
        }
        for (String unit : new String[] {", p50 ms", ", p99 ms"}) {
            for (Variant variant : new Variant[] {Variant.WITH, Variant.CACHING}) {
                table.ratio(row, turns, variant + unit, Variant.SECURITY + unit, "");
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

        void measure(int threads, int calls, Turns round) throws Exception {
            for (Map.Entry<Variant, SampleClient> host : clients.entrySet()) {
                HttpVerifyBenchmark.measure(host.getKey(), host.getValue(), threads, calls, round);
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
