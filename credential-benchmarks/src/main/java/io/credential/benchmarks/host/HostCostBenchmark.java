package io.credential.benchmarks.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.benchmarks.Harness;
import io.credential.benchmarks.Profile;
import io.credential.benchmarks.SampleClient;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.benchmarks.host.HostProcess.Variant;

/**
 * Measures what the starter costs the host application on PostgreSQL: libraries, seconds to start, processor time and
 * statements while it is idle, and bytes of log per request. Processes without the starter, with Spring Security alone,
 * with API keys alone and with everything take turns. Argument: {@code smoke}, {@code short} or none. It has no goals.
 */
public final class HostCostBenchmark {

    private static final List<Variant> VARIANTS =
            List.of(Variant.WITHOUT, Variant.SECURITY, Variant.KEYS, Variant.WITH);

    private final HostDatabase database;

    /** After the start, before the application counts as idle. */
    private final Duration settling;

    /** The same with the starter: its dispatcher keeps a lease for the first 15 seconds. */
    private final Duration leaseSettling;

    private final Duration idle;
    private final int requests;

    private HostCostBenchmark(HostDatabase database, Profile profile) {
        this.database = database;
        this.settling = profile.choose(Duration.ofMillis(100), Duration.ofSeconds(2), Duration.ofSeconds(5));
        this.leaseSettling = profile.choose(Duration.ofMillis(100), Duration.ofSeconds(20), Duration.ofSeconds(20));
        this.idle = profile.choose(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(30));
        this.requests = profile.choose(10, 1_000, 1_000);
    }

    public static void main(String[] arguments) {
        Harness.main("host", arguments, HostCostBenchmark::measure);
    }

    static void measure(Profile profile, Table table) throws Exception {
        try (HostDatabase database = HostDatabase.postgres()) {
            database.benchmarked().countStatements(true);
            HostCostBenchmark benchmark = new HostCostBenchmark(database, profile);
            Turns turns = Turns.takeCold(profile.choose(1, 2, 5), round -> {
                for (Variant variant : VARIANTS) {
                    benchmark.measure(variant, round);
                }
            });
            for (Cost cost : Cost.values()) {
                for (Variant variant : VARIANTS) {
                    table.value("host", turns, cost.of(variant));
                }
            }
        }
    }

    private void measure(Variant variant, Turns turns) throws IOException, InterruptedException {
        List<Path> jars = HostProcess.jars(variant);
        turns.add(Cost.LIBRARIES.of(variant), jars.size());
        turns.add(Cost.MEGABYTES.of(variant), totalBytes(jars) / 1e6);
        try (HostProcess process = new HostProcess(variant, database);
                SampleClient client = process.client("orders:read")) {
            turns.add(Cost.START.of(variant), process.startSeconds());
            client.orders(); // the first request logs more
            long logged = process.logBytes();
            for (int i = 0; i < requests; i++) {
                client.orders();
            }
            turns.add(Cost.LOG.of(variant), (double) (process.logBytes() - logged) / requests);
            Thread.sleep((variant == Variant.WITH ? leaseSettling : settling).toMillis());
            Duration processorTime = process.processorTime();
            long statements = statements();
            Thread.sleep(idle.toMillis());
            double seconds = idle.toMillis() / 1e3;
            turns.add(
                    Cost.PROCESSOR.of(variant),
                    process.processorTime().minus(processorTime).toMillis() / seconds);
            turns.add(Cost.STATEMENTS.of(variant), (statements() - statements) / seconds);
        }
    }

    private static long totalBytes(List<Path> jars) throws IOException {
        long bytes = 0;
        for (Path jar : jars) {
            bytes += Files.size(jar);
        }
        return bytes;
    }

    private long statements() {
        return JdbcClient.create(database.benchmarked().control())
                .sql("select coalesce(sum(calls), 0) from pg_stat_statements")
                .query(Long.class)
                .single();
    }

    /** What is measured. */
    private enum Cost {
        LIBRARIES("libraries"),
        MEGABYTES("megabytes of libraries"),
        START("seconds to start"),
        PROCESSOR("milliseconds of processor time per idle second"),
        STATEMENTS("statements per idle second"),
        LOG("bytes of log per request");

        private final String text;

        Cost(String text) {
            this.text = text;
        }

        String of(Variant variant) {
            return text + ", " + variant;
        }
    }
}
