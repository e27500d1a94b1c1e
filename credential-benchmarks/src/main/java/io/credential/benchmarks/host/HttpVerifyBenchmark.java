package io.credential.benchmarks.host;

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.benchmarks.BenchmarkDatabase;
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

    static final int ORDERS = 100;

    private static final double GOAL = 0.85;
    private static final int THREADS = 8;

    private HttpVerifyBenchmark() {}

    public static void main(String[] arguments) {
        Harness.main("http", arguments, HttpVerifyBenchmark::measure);
    }

    static void measure(Profile profile, Table table) throws Exception {
        int calls = profile.choose(50, 5_000, 20_000);
        try (BenchmarkDatabase database = BenchmarkDatabase.postgres();
                Hosts hosts = Hosts.start(database)) {
            JdbcClient.create(database.control())
                    .sql("""
                            insert into orders (id, item, created_at)
                            select cast(gen_random_uuid() as text), 'kettle', 1000 * number
                            from generate_series(1, :orders) as number""")
                    .param("orders", ORDERS)
                    .update();
            Turns turns = Turns.take(profile.choose(1, 7, 15), round -> {
                for (Map.Entry<Variant, SampleClient> host : hosts.clients.entrySet()) {
                    measure(host.getKey(), host.getValue(), calls, round);
                }
            });
            report(table, turns);
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

    private static void report(Table table, Turns turns) {
        String row = "GET /orders, " + ORDERS + " orders";
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

        static Hosts start(BenchmarkDatabase database) throws IOException, InterruptedException {
            Hosts hosts = new Hosts();
            try {
                for (Variant variant : Variant.values()) {
                    HostProcess process = new HostProcess(variant, database);
                    hosts.processes.put(variant, process);
                    hosts.clients.put(variant, process.client());
                }
            } catch (IOException | InterruptedException | RuntimeException e) {
                hosts.close();
                throw e;
            }
            return hosts;
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
