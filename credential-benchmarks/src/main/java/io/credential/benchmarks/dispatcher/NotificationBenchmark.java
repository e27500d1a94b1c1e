package io.credential.benchmarks.dispatcher;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.credential.benchmarks.BarePosts;
import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.Load;
import io.credential.benchmarks.LocalDispatcher;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.internal.concurrent.OwnedSchedule;
import io.credential.internal.notification.NodeNotifications;
import io.credential.internal.notification.NotificationListener;
import io.credential.internal.notification.PostgresNotifications;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.http.WebhookResponse;

/**
 * Measures what notifications between nodes cost and bring, on PostgreSQL with one endpoint: how many events 16 threads
 * store per second by calling {@code enqueue} on a node that only stores them, how many deliveries are settled per second
 * if that node also attempts them, and the time from the commit on a node that only stores events to the start of the
 * attempt on an idle node, which polls every second. The yardstick is the same without notifications.
 */
final class NotificationBenchmark implements Benchmark {

    private static final int THREADS = 16;

    /** Of the throughput without notifications; rounds of the same differ by a tenth. */
    private static final double GOAL = 0.9;

    /** Most of them, because each may wait for a poll. */
    private static final int MOST_WAKE_UPS = 40;

    private static final int DELIVERIES_PER_WAKE_UP = 50;
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    private static final Duration GRACE = Duration.ofSeconds(10);

    /** Not a divisor of the poll interval, so that events fall on all parts of it. */
    private static final long PAUSE_MILLIS = 137;

    @Override
    public void run(Scale scale, BenchmarkReceiver receiver, Table table) throws Exception {
        throughput(scale, receiver, table);
        latency(scale, table);
    }

    private static void throughput(Scale scale, BenchmarkReceiver receiver, Table table) throws Exception {
        try (BenchmarkDatabase database = BenchmarkDatabase.postgres();
                PostgresNotifications notifications = notifications(database);
                PostgresNotifications other = notifications(database)) {
            Received received = new Received();
            other.subscribe("webhook-deliveries", received);
            stores(database, notifications, received, receiver, scale, table);
            Turns turns = Turns.take(scale.rounds(), round -> {
                round.add("silent, settled/s", settledPerSecond(database, NodeNotifications.none(), receiver, scale));
                long start = System.nanoTime();
                int before = received.messages.get();
                round.add("notifying, settled/s", settledPerSecond(database, notifications, receiver, scale));
                round.add("notifications/s", (received.messages.get() - before) / ((System.nanoTime() - start) / 1e9));
            });
            table.ratioAtLeast(
                    "enqueue, threads: " + THREADS, turns, "notifying, settled/s", "silent, settled/s", GOAL);
            table.value("enqueue, threads: " + THREADS, turns, "notifications/s");
        }
    }

    /** A node that only stores notifies the other one as often as it may. */
    private static void stores(
            BenchmarkDatabase database,
            PostgresNotifications notifications,
            Received received,
            BenchmarkReceiver receiver,
            Scale scale,
            Table table)
            throws Exception {
        try (LocalDispatcher silent =
                        new LocalDispatcher(database.open(), receiver.bareUrls(1), NodeNotifications.none());
                LocalDispatcher notifying = new LocalDispatcher(database.open(), receiver.bareUrls(1), notifications)) {
            Turns turns = Turns.take(scale.rounds(), round -> {
                round.add(
                        "silent, stored/s",
                        new Load(THREADS, scale.deliveries(), silent::enqueue)
                                .run()
                                .perSecond());
                int before = received.messages.get();
                Load.Result result = new Load(THREADS, scale.deliveries(), notifying::enqueue).run();
                round.add("notifying, stored/s", result.perSecond());
                round.add("notifications/s", (received.messages.get() - before) / result.seconds());
            });
            table.ratioAtLeast(
                    "store only, threads: " + THREADS, turns, "notifying, stored/s", "silent, stored/s", GOAL);
            table.value("store only, threads: " + THREADS, turns, "notifications/s");
            silent.start();
            database.awaitSettled();
        }
    }

    private static double settledPerSecond(
            BenchmarkDatabase database, NodeNotifications notifications, BenchmarkReceiver receiver, Scale scale)
            throws Exception {
        try (LocalDispatcher dispatcher = new LocalDispatcher(database.open(), receiver.bareUrls(1), notifications)) {
            dispatcher.start();
            new Load(THREADS, scale.deliveries() / 10, dispatcher::enqueue).run(); // warm
            database.awaitSettled();
            long start = System.nanoTime();
            new Load(THREADS, scale.deliveries(), dispatcher::enqueue).run();
            database.awaitSettled();
            return scale.deliveries() / ((System.nanoTime() - start) / 1e9);
        }
    }

    private static void latency(Scale scale, Table table) throws Exception {
        try (BenchmarkDatabase database = BenchmarkDatabase.postgres();
                PostgresNotifications here = notifications(database);
                PostgresNotifications there = notifications(database)) {
            Keyring keyring = Keyring.generate(new SecureRandom());
            int wakeUps = Math.min(MOST_WAKE_UPS, scale.deliveries() / DELIVERIES_PER_WAKE_UP);
            Turns turns = Turns.take(scale.rounds(), round -> {
                round.add(
                        "polling, ms",
                        wakeUpMillis(wakeUps, database, keyring, NodeNotifications.none(), NodeNotifications.none()));
                round.add("notified, ms", wakeUpMillis(wakeUps, database, keyring, here, there));
            });
            table.ratio("median from commit to attempt elsewhere", turns, "notified, ms", "polling, ms", "");
        }
    }

    /** Returns the median of some events. */
    private static double wakeUpMillis(
            int wakeUps, BenchmarkDatabase database, Keyring keyring, NodeNotifications here, NodeNotifications there)
            throws Exception {
        BlockingQueue<Long> begun = new LinkedBlockingQueue<>();
        try (JdbcWebhookDispatcher storing = dispatcher(database, keyring, here, null);
                JdbcWebhookDispatcher idle = dispatcher(database, keyring, there, begun)) {
            storing.declareSchema();
            storing.registerEndpoint(
                    EndpointRegistration.of("endpoint", "http://127.0.0.1:9/", "a secret of the benchmark", "*"));
            idle.start();
            OwnedSchedule polls = new OwnedSchedule("benchmark-poll", GRACE, idle::poll);
            polls.start(POLL_INTERVAL, POLL_INTERVAL);
            try {
                Turns events = Turns.takeCold(wakeUps, round -> {
                    Thread.sleep(PAUSE_MILLIS);
                    storing.enqueue("event", "{}");
                    long committed = System.nanoTime();
                    Long attempted = begun.poll(Load.LIMIT.toSeconds(), TimeUnit.SECONDS);
                    if (attempted == null) {
                        throw new TimeoutException("The idle node did not attempt the delivery");
                    }
                    round.add("ms", (attempted - committed) / 1e6);
                });
                database.awaitSettled();
                return events.spread("ms").median();
            } finally {
                polls.stop();
            }
        }
    }

    /** @param begun gets the time of each attempt, which succeeds at once */
    private static JdbcWebhookDispatcher dispatcher(
            BenchmarkDatabase database,
            Keyring keyring,
            NodeNotifications notifications,
            @Nullable BlockingQueue<Long> begun) {
        return JdbcWebhookDispatcher.builder(database.open(), keyring)
                .destinationPolicy(BarePosts.policy())
                .notifications(notifications)
                .transport(request -> {
                    if (begun != null) {
                        begun.add(System.nanoTime());
                    }
                    return CompletableFuture.completedFuture(new WebhookResponse(200, "", null));
                })
                .build();
    }

    private static PostgresNotifications notifications(BenchmarkDatabase database) throws InterruptedException {
        CredentialDatabase opened = database.open();
        PostgresNotifications notifications = new PostgresNotifications(
                opened,
                new DriverManagerDataSource(database.pool().getJdbcUrl()),
                System::nanoTime,
                new SecureRandom());
        notifications.start();
        while (!notifications.isListening()) {
            Thread.sleep(PAUSE_MILLIS);
        }
        return notifications;
    }

    private static final class Received implements NotificationListener {

        private final AtomicInteger messages = new AtomicInteger();

        @Override
        public void received(String text) {
            messages.incrementAndGet();
        }

        @Override
        public void missed() {}
    }
}
