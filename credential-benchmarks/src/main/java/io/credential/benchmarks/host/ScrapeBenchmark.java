package io.credential.benchmarks.host;

import java.time.Duration;
import java.util.Collections;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.Harness;
import io.credential.benchmarks.Load;
import io.credential.benchmarks.Percentile;
import io.credential.benchmarks.Profile;
import io.credential.benchmarks.SampleClient;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.benchmarks.host.HostProcess.Variant;
import io.credential.benchmarks.scale.StoredRows;

/**
 * Measures how long Prometheus waits for the metrics of the host application on PostgreSQL before there is a backlog of up to 100,000
 * deliveries, while it is delivered and after it. Fails if the gauge of pending deliveries does not follow. Argument: {@code
 * smoke}, {@code short} or none. Goal: 99 of 100 scrapes take less than 50 ms.
 */
public final class ScrapeBenchmark {

    private static final double GOAL_MILLIS = 50;
    private static final int PAYLOAD_BYTES = 1024;
    private static final String ENDPOINT = "endpoint-";

    /** Prometheus usually waits longer; a scrape right after the other would take the processors from what is observed. */
    private static final long PAUSE_MILLIS = 50;

    private static final Pattern PENDING =
            Pattern.compile("^credential_webhook_deliveries\\{.*status=\"pending\".*} (\\S+)$", Pattern.MULTILINE);

    private final SampleClient client;
    private final Turns turns = new Turns();
    private final int rounds;
    private final int scrapes;

    private ScrapeBenchmark(SampleClient client, Profile profile) {
        this.client = client;
        this.rounds = profile.choose(1, 3, 5);
        this.scrapes = profile.choose(5, 100, 200);
    }

    public static void main(String[] arguments) {
        Harness.main("scrape", arguments, ScrapeBenchmark::measure);
    }

    static void measure(Profile profile, Table table) throws Exception {
        int deliveries = profile.choose(500, 20_000, 100_000);
        Duration answer = Duration.ofMillis(profile.choose(1, 200, 200));
        try (BenchmarkReceiver receiver = BenchmarkReceiver.start();
                HostDatabase database = HostDatabase.postgres();
                HostProcess host = new HostProcess(Variant.WITH, database);
                SampleClient operator = host.client("actuator:read")) {
            database.registerEndpoints(
                    ENDPOINT, Collections.nCopies(StoredRows.ENDPOINTS, receiver.pausingUrl(answer)));
            ScrapeBenchmark benchmark = new ScrapeBenchmark(operator, profile);
            benchmark.p99Millis(); // the first scrapes of a process load classes
            benchmark.scrape("before");
            database.pauseEndpoints(ENDPOINT, StoredRows.ENDPOINTS); // until the gauge was read
            StoredRows.backlog(database.benchmarked(), deliveries, 1, StoredRows.ENDPOINTS, PAYLOAD_BYTES);
            benchmark.await(deliveries);
            database.resumeEndpoints(ENDPOINT, StoredRows.ENDPOINTS);
            benchmark.scrape("during");
            if (profile != Profile.SMOKE && benchmark.pending() == 0) {
                throw new IllegalStateException("The backlog was delivered before its scrapes ended");
            }
            database.benchmarked().awaitSettled();
            benchmark.await(0);
            benchmark.scrape("after");
            for (String phase : new String[] {"before", "during", "after"}) {
                table.valueAtMost(
                        "scrape, backlog of %,d".formatted(deliveries), benchmark.turns, label(phase), GOAL_MILLIS);
            }
        }
    }

    private static String label(String phase) {
        return "p99 ms, " + phase;
    }

    private void scrape(String phase) throws InterruptedException {
        for (int round = 0; round < rounds; round++) {
            turns.add(label(phase), p99Millis());
        }
    }

    private double p99Millis() throws InterruptedException {
        double[] millis = new double[scrapes];
        for (int i = 0; i < scrapes; i++) {
            long start = System.nanoTime();
            client.scrape();
            millis[i] = (System.nanoTime() - start) / 1e6;
            Thread.sleep(PAUSE_MILLIS);
        }
        return Percentile.of(millis, 99);
    }

    private void await(int expected) throws InterruptedException {
        long end = System.nanoTime() + Load.LIMIT.toNanos();
        while (pending() != expected) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        "The gauge of pending deliveries is " + pending() + ", not " + expected);
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private double pending() {
        Matcher matcher = PENDING.matcher(client.scrape());
        return matcher.find() ? Double.parseDouble(matcher.group(1)) : Double.NaN;
    }
}
