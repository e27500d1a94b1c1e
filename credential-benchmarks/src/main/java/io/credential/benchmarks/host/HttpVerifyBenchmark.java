package io.credential.benchmarks.host;

import java.io.IOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import io.credential.benchmarks.Harness;
import io.credential.benchmarks.Load;
import io.credential.benchmarks.Percentile;
import io.credential.benchmarks.Profile;
import io.credential.benchmarks.SampleClient;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.benchmarks.host.HostProcess.Variant;

/**
 * Measures {@code GET /orders} of the host application with the starter, which verifies the key and checks the scope, on
 * PostgreSQL and on a SQLite file, the default of the starter. {@value #THREADS} threads call without a pause, and turns
 * alternate. Argument: {@code smoke}, {@code short} or none.
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
        try (HostDatabase database = HostDatabase.postgres();
                Hosts hosts = Hosts.start(compared(), variant -> database)) {
            measure("PostgreSQL", hosts, profile, table);
        }
        // The cache spares round trips to a server.
        try (HostDatabase permitting = HostDatabase.sqlite();
                HostDatabase verifying = HostDatabase.sqlite();
                Hosts hosts = Hosts.start(
                        Stream.of(Variant.SECURITY, Variant.WITH),
                        variant -> variant == Variant.WITH ? verifying : permitting)) {
            measure("SQLite", hosts, profile, table);
        }
    }

    private static void measure(String database, Hosts hosts, Profile profile, Table table) throws Exception {
        if (profile != Profile.SMOKE) {
            hosts.fillOrders(1);
            Turns.takeCold(WARM_UP_ROUNDS, round -> hosts.measure(WARM_UP_THREADS, WARM_UP_CALLS, round));
        }
        for (int orders : SIZES) {
            int calls = orders == SIZES.get(0) ? profile.choose(50, 3_000, 10_000) : profile.choose(20, 500, 2_500);
            hosts.fillOrders(orders);
            Turns turns = Turns.take(profile.choose(1, 5, 11), round -> hosts.measure(THREADS, calls, round));
            report("GET /orders, %s, %,d orders".formatted(database, orders), table, turns, hosts.variants());
        }
    }

    /** For a request with a key, the starter for API keys does the same as that with everything. */
    private static Stream<Variant> compared() {
        return Stream.of(Variant.WITHOUT, Variant.SECURITY, Variant.WITH, Variant.CACHING);
    }

    private static void report(String row, Table table, Turns turns, Set<Variant> variants) {
        List<Variant> starters = variants.stream().filter(Variant::hasStarter).toList();
        for (Variant variant : starters) {
            table.ratioAtLeast(row, turns, variant + RATE, Variant.SECURITY + RATE, GOAL);
        }
        if (variants.contains(Variant.WITHOUT)) {
            for (Variant variant : EnumSet.of(Variant.SECURITY, Variant.WITH, Variant.CACHING)) {
                table.ratio(row, turns, variant + RATE, Variant.WITHOUT + RATE, "");
            }
        }
        for (String unit : new String[] {", p50 ms", ", p99 ms"}) {
            for (Variant variant : starters) {
                table.ratio(row, turns, variant + unit, Variant.SECURITY + unit, "");
            }
        }
    }

    /** An application, and a client with a key. */
    private record Host(Variant variant, HostProcess process, HostDatabase database, SampleClient client)
            implements AutoCloseable {

        static Host start(Variant variant, HostDatabase database) throws IOException, InterruptedException {
            HostProcess process = new HostProcess(variant, database);
            return new Host(variant, process, database, process.client("orders:read"));
        }

        void measure(int threads, int calls, Turns turns) throws Exception {
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

        @Override
        public void close() throws IOException {
            client.close();
            process.close();
        }
    }

    /** The applications that take turns. */
    private static final class Hosts implements AutoCloseable {

        private final Map<Variant, Host> hosts = new EnumMap<>(Variant.class);

        static Hosts start(Stream<Variant> variants, Function<Variant, HostDatabase> databases)
                throws IOException, InterruptedException {
            Hosts started = new Hosts();
            try {
                for (Variant variant : variants.toList()) {
                    started.hosts.put(variant, Host.start(variant, databases.apply(variant)));
                }
            } catch (IOException | InterruptedException | RuntimeException e) {
                started.close();
                throw e;
            }
            return started;
        }

        Set<Variant> variants() {
            return hosts.keySet();
        }

        void fillOrders(int orders) {
            hosts.values().stream().map(Host::database).distinct().forEach(database -> database.fillOrders(orders));
        }

        void measure(int threads, int calls, Turns round) throws Exception {
            for (Host host : hosts.values()) {
                host.measure(threads, calls, round);
            }
        }

        @Override
        public void close() throws IOException {
            for (Host host : hosts.values()) {
                host.close();
            }
        }
    }
}
