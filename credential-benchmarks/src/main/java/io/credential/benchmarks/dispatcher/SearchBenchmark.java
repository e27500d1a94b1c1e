package io.credential.benchmarks.dispatcher;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.ConstantLoad;
import io.credential.benchmarks.LocalDispatcher;
import io.credential.benchmarks.Percentile;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.benchmarks.scale.StoredRows;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;

/**
 * Searches among many stored deliveries, one search after the other without a pause, while events are delivered at a
 * constant rate on PostgreSQL. Shows how long a page takes, and what the searches cost the deliveries.
 */
final class SearchBenchmark implements Benchmark {

    private static final int STORED_PER_DELIVERY = 40;
    private static final int RATE = 2000;
    private static final int ENDPOINTS = 10;

    /** Of each search, for a turn of ten seconds: without them, a 99th percentile would be the highest of a few. */
    private static final int LEAST_SAMPLES_PER_SECOND = 10;

    private static final int PAGES_BEFORE_DEEP = 10;

    private static final double GOAL_MILLIS = 50;
    private static final double GOAL_RATE = 0.95;

    private static final String ALONE = "settled/s";
    private static final String SEARCHING = "settled/s while searching";

    @Override
    public void run(Scale scale, BenchmarkReceiver receiver, Table table) throws Exception {
        ExecutorService searcher = Executors.newSingleThreadExecutor();
        try (BenchmarkDatabase database = BenchmarkDatabase.postgres();
                LocalDispatcher dispatcher = new LocalDispatcher(database.open(), receiver.countedUrls(ENDPOINTS))) {
            StoredRows.POSTGRES.log(database, scale.deliveries() * STORED_PER_DELIVERY / 2);
            Map<String, DeliveryQuery> queries = queries(database, dispatcher);
            dispatcher.start();
            try (ConstantLoad load = new ConstantLoad(RATE, dispatcher::enqueue)) {
                Turns turns = Turns.take(scale.rounds(), round -> {
                    round.add(ALONE, settledPerSecond(scale.turn(), load, database));
                    Future<Map<String, List<Double>>> searches =
                            searcher.submit(() -> search(scale.turn(), dispatcher, queries));
                    round.add(SEARCHING, settledPerSecond(scale.turn(), load, database));
                    searches.get().forEach((name, millis) -> addPercentiles(round, name, millis));
                });
                table.ratioAtLeast("search", turns, SEARCHING, ALONE, GOAL_RATE);
                for (String name : queries.keySet()) {
                    table.value("search", turns, "p50 ms, " + name);
                    table.valueAtMost("search", turns, "p99 ms, " + name, GOAL_MILLIS);
                }
            }
        } finally {
            searcher.shutdownNow();
        }
    }

    private static Map<String, DeliveryQuery> queries(BenchmarkDatabase database, LocalDispatcher dispatcher) {
        String eventId = JdbcClient.create(database.control())
                .sql("select event_id from _credential_webhook_events where idempotency_key = 'key-471'")
                .query(String.class)
                .single();
        Instant lastWeek = Instant.now().minus(Duration.ofDays(7));
        DeliveryQuery all = DeliveryQuery.all();
        Map<String, DeliveryQuery> queries = new LinkedHashMap<>();
        queries.put("all", all);
        queries.put("all, page " + (PAGES_BEFORE_DEEP + 1), afterPages(all, dispatcher));
        queries.put("endpoint", all.withEndpoint("stored-7"));
        queries.put("event type", all.withEventType("stored-7"));
        queries.put("pending", all.withStatus(DeliveryStatus.PENDING));
        queries.put("in flight", all.withStatus(DeliveryStatus.IN_FLIGHT));
        queries.put("delivered", all.withStatus(DeliveryStatus.DELIVERED));
        queries.put("dead", all.withStatus(DeliveryStatus.DEAD));
        queries.put("dead, endpoint", all.withStatus(DeliveryStatus.DEAD).withEndpoint("stored-21"));
        queries.put("response status", all.withResponseStatus(404));
        queries.put("audience", all.withAudience("tenant-7"));
        queries.put("a day", all.withCreatedFrom(lastWeek).withCreatedBefore(lastWeek.plus(Duration.ofDays(1))));
        queries.put(
                "event type, a day",
                all.withEventType("stored-7")
                        .withCreatedFrom(lastWeek)
                        .withCreatedBefore(lastWeek.plus(Duration.ofDays(1))));
        queries.put("event", all.withEvent(eventId));
        queries.put("idempotency key", all.withIdempotencyKey("key-471"));
        queries.put("attempts", all.withMinAttempts(5));
        return queries;
    }

    private static DeliveryQuery afterPages(DeliveryQuery query, LocalDispatcher dispatcher) {
        DeliveryQuery next = query;
        for (int i = 0; i < PAGES_BEFORE_DEEP; i++) {
            next = query.after(
                    Objects.requireNonNull(dispatcher.search(next).nextCursor(), "Too few deliveries are stored"));
        }
        return next;
    }

    private static double settledPerSecond(Duration turn, ConstantLoad load, BenchmarkDatabase database)
            throws Exception {
        long start = System.nanoTime();
        long before = load.made() - StorageSample.read(database).open();
        TimeUnit.NANOSECONDS.sleep(turn.toNanos());
        long after = load.made() - StorageSample.read(database).open();
        return (after - before) / ((System.nanoTime() - start) / 1e9);
    }

    /** Does not end before each search has enough samples; the settle rate is measured only during the turn. */
    private static Map<String, List<Double>> search(
            Duration turn, LocalDispatcher dispatcher, Map<String, DeliveryQuery> queries) {
        Map<String, List<Double>> millis = new LinkedHashMap<>();
        long leastSamples = LEAST_SAMPLES_PER_SECOND * turn.toSeconds();
        long end = System.nanoTime() + turn.toNanos();
        for (int samples = 0; samples < leastSamples || System.nanoTime() < end; samples++) {
            queries.forEach((name, query) -> {
                long start = System.nanoTime();
                dispatcher.search(query);
                millis.computeIfAbsent(name, key -> new ArrayList<>()).add((System.nanoTime() - start) / 1e6);
            });
        }
        return millis;
    }

    private static void addPercentiles(Turns round, String name, List<Double> samples) {
        double[] millis = samples.stream().mapToDouble(Double::doubleValue).toArray();
        round.add("p50 ms, " + name, Percentile.of(millis, 50));
        round.add("p99 ms, " + name, Percentile.of(millis, 99));
    }
}
