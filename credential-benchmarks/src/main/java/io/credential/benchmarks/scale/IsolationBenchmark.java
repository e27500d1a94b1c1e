package io.credential.benchmarks.scale;

import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.benchmarks.Arrivals;
import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.ConstantLoad;
import io.credential.benchmarks.Harness;
import io.credential.benchmarks.NumberedPayload;
import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.seal.internal.Keyring;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

/**
 * Measures how endpoints that fail affect the others: the 99th percentile of the times from {@code enqueue} to the arrival at
 * the others, at a constant rate on PostgreSQL, with the defaults of the starter. Of 100 endpoints, one hangs, one answers
 * after 5 s, one refuses connections, and the name of one can no longer be resolved; then 300 of 500 hang. The yardstick is the same
 * with endpoints that answer; turns alternate. Goal: 1.5 of the yardstick.
 *
 * <p>In a turn, a new node first sends to the others only. Then the others get as many events as in the yardstick while the
 * node finds out which endpoints fail: a turn lasts longer than the request timeout. In the short profile, the request timeout
 * is 6 s.
 */
public final class IsolationBenchmark {

    private static final double GOAL = 1.5;
    private static final int WARM_UP_EVENTS_PER_ENDPOINT = 3;
    private static final Duration SLOW_ANSWER = Duration.ofSeconds(5);

    private final BenchmarkReceiver receiver;
    private final BenchmarkDatabase database;
    private final Keyring keyring = Keyring.generate(new SecureRandom());
    private final Duration requestTimeout;
    private final Duration turn;
    private final int rounds;
    private final int eventsPerSecond;

    private IsolationBenchmark(BenchmarkReceiver receiver, BenchmarkDatabase database, Profile profile) {
        this.receiver = receiver;
        this.database = database;
        this.requestTimeout =
                profile.choose(Duration.ofMillis(500), Duration.ofSeconds(6), Duration.ofSeconds(15)); // the default
        this.turn = profile.choose(Duration.ofSeconds(1), Duration.ofSeconds(7), Duration.ofSeconds(25));
        this.rounds = profile.choose(1, 3, 5);
        this.eventsPerSecond = profile.choose(200, 500, 500);
    }

    public static void main(String[] arguments) {
        Harness.main("isolation", arguments, IsolationBenchmark::measure);
    }

    static void measure(Profile profile, Table table) throws Exception {
        try (BenchmarkReceiver receiver = BenchmarkReceiver.start();
                BenchmarkDatabase database = BenchmarkDatabase.postgres()) {
            IsolationBenchmark benchmark = new IsolationBenchmark(receiver, database, profile);
            benchmark.measure(
                    "4 of 100 fail",
                    96,
                    List.of(
                            receiver.hangingUrl(),
                            receiver.pausingUrl(SLOW_ANSWER),
                            Hosts.refusingUrl(),
                            Hosts.expiringUrl()),
                    table);
            int hanging = profile.choose(30, 300, 300);
            benchmark.measure(
                    "%d of %d hang".formatted(hanging, hanging * 5 / 3),
                    hanging * 2 / 3,
                    Collections.nCopies(hanging, receiver.hangingUrl()),
                    table);
        }
    }

    private void measure(String row, int healthy, List<URI> failing, Table table) throws Exception {
        List<URI> answering = receiver.bareUrls(failing.size());
        p99Millis(healthy, answering); // compiles what is measured
        Turns turns = Turns.takeCold(rounds, round -> {
            round.add("p99 ms, all answer", p99Millis(healthy, answering));
            round.add("p99 ms of the others", p99Millis(healthy, failing));
        });
        table.ratioAtMost("isolation, " + row, turns, "p99 ms of the others", "p99 ms, all answer", GOAL);
    }

    private double p99Millis(int healthy, List<URI> others) throws Exception {
        List<URI> urls = new ArrayList<>(receiver.countedUrls(healthy));
        urls.addAll(others);
        try (PolledDispatcher node = start(urls)) {
            receiver.reset();
            for (int i = 0; i < healthy * WARM_UP_EVENTS_PER_ENDPOINT; i++) {
                send(node, NumberedPayload.sentNow(i), i % healthy);
            }
            receiver.await((long) healthy * WARM_UP_EVENTS_PER_ENDPOINT);
            receiver.reset();
            int events = Math.toIntExact(eventsPerSecond * turn.toSeconds());
            CountDownLatch left = new CountDownLatch(events);
            try (ConstantLoad load = new ConstantLoad(eventsPerSecond, payload -> {
                if (payload.number() < events) {
                    send(node, payload, payload.number() % urls.size());
                    left.countDown();
                }
            })) {
                while (!left.await(1, TimeUnit.SECONDS)) {
                    load.made(); // fails if a call has failed
                }
            }
            long arriving = IntStream.range(0, events)
                    .filter(number -> number % urls.size() < healthy)
                    .count();
            Arrivals.Summary arrived = receiver.await(arriving);
            return arrived.p99Nanos() / 1e6;
        } finally {
            JdbcClient.create(database.control())
                    .sql(
                            "truncate _credential_webhook_deliveries, _credential_webhook_events, _credential_webhook_attempts")
                    .update();
        }
    }

    private static void send(PolledDispatcher node, NumberedPayload payload, int endpoint) {
        node.dispatcher().enqueue("event-" + endpoint, payload.bytes());
    }

    private PolledDispatcher start(List<URI> urls) {
        AtomicBoolean registered = new AtomicBoolean();
        PolledDispatcher node = new PolledDispatcher(
                Hosts.known(JdbcWebhookDispatcher.builder(database.open(), keyring), registered::get)
                        .requestTimeout(requestTimeout)
                        .build());
        JdbcWebhookDispatcher dispatcher = node.dispatcher();
        dispatcher.declareSchema();
        for (int i = 0; i < urls.size(); i++) {
            dispatcher.registerEndpoint(EndpointRegistration.of(
                    "endpoint-" + i,
                    Hosts.named(i, urls.get(i)).toString(),
                    "a secret of the benchmark",
                    "event-" + i));
        }
        registered.set(true);
        node.start();
        return node;
    }
}
