package io.credential.benchmarks.dispatcher;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.ConstantLoad;
import io.credential.benchmarks.LocalDispatcher;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;

/**
 * Delivers events to ten endpoints at a constant rate on PostgreSQL and observes whether the tables keep their size.
 * Delivered rows are removed after two windows, so that as many are removed as added. The run has 30 windows; the size
 * after the last is compared with the size after the fifth. In ten more windows a transaction is held open; each is
 * compared with one of the ten windows before.
 *
 * <p>A window is a minute by default. In a shorter run the retention, the clean-up and autovacuum are faster by the same
 * factor. Fails if the table of deliveries has grown by more than 5%, or if the settle rate has fallen below
 * 0.8. A run of a few minutes shows that the harness works, not how the tables grow.
 */
final class SoakBenchmark implements Benchmark {

    private static final int ENDPOINTS = 10;
    private static final int FIRST_WINDOWS = 5;
    private static final int HELD_WINDOWS = 10;
    private static final int WINDOWS = 30;
    private static final int RETENTION_WINDOWS = 2;
    private static final int CLEAN_UPS_PER_WINDOW = 6;

    /** The size depends on when autovacuum last came round, and how long it was held up. */
    private static final double LARGEST_GROWTH = 1.05;

    private final PrintStream out;

    SoakBenchmark(PrintStream out) {
        this.out = out;
    }

    @Override
    public void run(Scale scale, BenchmarkReceiver receiver, Table table) throws Exception {
        Duration window = Duration.ofMinutes(Math.max(1, scale.minutes())).dividedBy(WINDOWS);
        // The default, a minute, if a window is a minute.
        Map<String, String> settings = Map.of("autovacuum_naptime", Math.max(1, window.toSeconds()) + "s");
        ScheduledExecutorService cleaning = Executors.newSingleThreadScheduledExecutor();
        try (BenchmarkDatabase database = BenchmarkDatabase.postgres(settings);
                LocalDispatcher dispatcher = new LocalDispatcher(
                        database.open(), receiver.countedUrls(ENDPOINTS), window.multipliedBy(RETENTION_WINDOWS))) {
            dispatcher.start();
            long pause = window.dividedBy(CLEAN_UPS_PER_WINDOW).toMillis();
            Future<?> cleanUps =
                    cleaning.scheduleWithFixedDelay(dispatcher::removeExpired, pause, pause, TimeUnit.MILLISECONDS);
            try (ConstantLoad load = new ConstantLoad(scale.rate(), dispatcher::enqueue)) {
                SoakWindows windows = new SoakWindows(window, load, database, receiver, out);
                StorageSample early = windows.measure(FIRST_WINDOWS, new Turns(), "");
                windows.measure(WINDOWS - FIRST_WINDOWS - HELD_WINDOWS, new Turns(), "");
                Turns turns = new Turns();
                StorageSample end = windows.measure(HELD_WINDOWS, turns, "");
                reportSizes(early, end, table);
                HeldTransaction held = HeldTransaction.begin(database);
                try {
                    windows.measure(HELD_WINDOWS, turns, ", held");
                } finally {
                    held.close();
                }
                reportRates(turns, table);
                requireRunning(cleanUps);
                requireGoals(early, end, turns);
            }
        } finally {
            cleaning.shutdownNow();
        }
    }

    private void reportSizes(StorageSample early, StorageSample end, Table table) {
        out.printf(
                "%,d updates of deliveries, %,d of them HOT; %d autovacuums%n",
                end.updates(), end.hotUpdates(), end.vacuums());
        Turns turns = new Turns();
        turns.add("MB of deliveries at the end", end.deliveriesBytes() / 1e6);
        turns.add("after a sixth", early.deliveriesBytes() / 1e6);
        table.ratio("soak", turns, "MB of deliveries at the end", "after a sixth", "");
        turns = new Turns();
        turns.add("MB of all tables at the end", end.allBytes() / 1e6);
        turns.add("after a sixth", early.allBytes() / 1e6);
        table.ratio("soak", turns, "MB of all tables at the end", "after a sixth", "");
    }

    private static void reportRates(Turns turns, Table table) {
        for (String what : List.of("settled/s", "p50 ms", "p99 ms")) {
            table.ratio("soak, constant rate", turns, what + ", held", what, "");
        }
    }

    private static void requireRunning(Future<?> cleanUps) throws ExecutionException, InterruptedException {
        if (cleanUps.isDone()) {
            cleanUps.get();
        }
    }

    private static void requireGoals(StorageSample early, StorageSample end, Turns turns) {
        if (end.deliveriesBytes() > LARGEST_GROWTH * early.deliveriesBytes()) {
            throw new IllegalStateException("The table of deliveries grew from %,d to %,d bytes"
                    .formatted(early.deliveriesBytes(), end.deliveriesBytes()));
        }
        HeldTransaction.requireRate(turns.ratio("settled/s, held", "settled/s").lowest());
    }
}
