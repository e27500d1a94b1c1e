package io.credential.benchmarks.scale;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.Harness;
import io.credential.benchmarks.Load;
import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Spread;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.benchmarks.node.NodeKeys;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

/**
 * Measures the heap that a node needs to deliver a backlog to 200 endpoints on PostgreSQL, in a JVM with 96 MB: the median of
 * what remained in use after garbage collections, from its start until all is settled. The backlog has up to a million
 * deliveries of 1 KiB, or events of 1 MiB for all endpoints. The yardstick is a small backlog; turns alternate. Goals: 1.3 of
 * the yardstick, and the node never runs out of memory.
 */
public final class MemoryBenchmark {

    private static final double GOAL = 1.3;
    private static final int ENDPOINTS = 200;
    private static final int KIBIBYTE = 1024;
    private static final long PAUSE_MILLIS = 200;
    private static final String HIGHEST = "highest MB";
    private static final String FAILED = "nodes that ran out of %d MB".formatted(HeapProcess.HEAP_MEGABYTES);

    private final BenchmarkDatabase database;
    private final List<String> nodeArguments;

    private MemoryBenchmark(BenchmarkDatabase database, BenchmarkReceiver receiver) {
        List<String> keys = NodeKeys.generate();
        this.database = database;
        this.nodeArguments = new ArrayList<>(keys);
        nodeArguments.add(0, database.pool().getJdbcUrl());
        try (JdbcWebhookDispatcher dispatcher = Hosts.known(
                        JdbcWebhookDispatcher.builder(database.open(), NodeKeys.keyring(keys.get(0), keys.get(1))))
                .build()) {
            dispatcher.declareSchema();
            List<URI> urls = receiver.bareUrls(ENDPOINTS);
            for (int i = 0; i < ENDPOINTS; i++) {
                dispatcher.registerEndpoint(EndpointRegistration.of(
                        "endpoint-" + i,
                        Hosts.named(i, urls.get(i)).toString(),
                        "a secret of the benchmark",
                        "event-" + i));
            }
        }
    }

    public static void main(String[] arguments) {
        Harness.main("memory", arguments, MemoryBenchmark::measure);
    }

    static void measure(Profile profile, Table table) throws Exception {
        try (BenchmarkReceiver receiver = BenchmarkReceiver.start();
                BenchmarkDatabase database = BenchmarkDatabase.postgres()) {
            MemoryBenchmark benchmark = new MemoryBenchmark(database, receiver);
            int rounds = profile.choose(1, 3, 5);
            benchmark.compare(
                    new Backlog("%,d deliveries of 1 KiB", profile.choose(200, 10_000, 20_000), 1, KIBIBYTE),
                    profile.choose(1_000, 50_000, 1_000_000),
                    rounds,
                    table);
            int fanOut = profile.choose(10, ENDPOINTS, ENDPOINTS);
            benchmark.compare(
                    new Backlog("%d events of 1 MiB to " + fanOut + " endpoints", 1, fanOut, KIBIBYTE * KIBIBYTE),
                    profile.choose(2, 4, 20),
                    rounds,
                    table);
        }
    }

    private void compare(Backlog small, int events, int rounds, Table table) throws Exception {
        Backlog large = new Backlog(small.name(), events, small.deliveriesPerEvent(), small.payloadBytes());
        String measured = "MB with " + large.text();
        String yardstick = "MB with " + small.text();
        Turns turns = Turns.takeCold(rounds, round -> {
            round.add(yardstick, Spread.of(megabytes(small, round)).median());
            List<Double> samples = megabytes(large, round);
            round.add(measured, Spread.of(samples).median());
            round.add(HIGHEST, Spread.of(samples).highest());
        });
        table.ratioAtMost("memory", turns, measured, yardstick, GOAL);
        table.value("memory, " + large.text(), turns, HIGHEST);
        table.valueAtMost("memory, " + large.text(), turns, FAILED, 0);
    }

    /** Returns what remained in use after each garbage collection. */
    private List<Double> megabytes(Backlog backlog, Turns round) throws Exception {
        StoredRows.backlog(database, backlog.events(), backlog.deliveriesPerEvent(), ENDPOINTS, backlog.payloadBytes());
        List<Double> samples = new ArrayList<>();
        try (HeapProcess node = new HeapProcess(nodeArguments)) {
            long end = System.nanoTime() + Load.LIMIT.toNanos();
            do {
                OptionalLong bytes = node.heapBytes();
                if (bytes.isEmpty()) {
                    round.add(FAILED, 1);
                    return List.of((double) HeapProcess.HEAP_MEGABYTES);
                }
                samples.add(bytes.getAsLong() / 1e6);
                if (System.nanoTime() > end) {
                    throw new IllegalStateException("Deliveries are still open after " + Load.LIMIT);
                }
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            } while (!database.isSettled());
            round.add(FAILED, 0);
            return samples;
        } finally {
            JdbcClient.create(database.control())
                    .sql(
                            "truncate _credential_webhook_deliveries, _credential_webhook_events, _credential_webhook_attempts")
                    .update();
        }
    }

    /** @param name a format for the number of events */
    private record Backlog(String name, int events, int deliveriesPerEvent, int payloadBytes) {

        String text() {
            return name.formatted(events);
        }
    }
}
