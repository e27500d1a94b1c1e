package io.credential.benchmarks.dispatcher;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.credential.benchmarks.Arrivals;
import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.ConstantLoad;
import io.credential.benchmarks.Turns;

/** Observes a constant load window by window and prints a line for each. */
final class SoakWindows {

    private final long windowNanos;
    private final ConstantLoad load;
    private final BenchmarkDatabase database;
    private final BenchmarkReceiver receiver;
    private final PrintStream out;
    private int number;
    private long endsAt;
    private Counts counts;

    SoakWindows(
            Duration window, ConstantLoad load, BenchmarkDatabase database, BenchmarkReceiver receiver, PrintStream out)
            throws Exception {
        this.windowNanos = window.toNanos();
        this.load = load;
        this.database = database;
        this.receiver = receiver;
        this.out = out;
        out.printf(
                "%7s %10s %8s %8s %6s %14s %13s %10s %12s %8s %8s %10s %8s%n",
                "window",
                "settled/s",
                "p50 ms",
                "p99 ms",
                "open",
                "deliveries MB",
                "open index MB",
                "events MB",
                "attempts MB",
                "live",
                "dead",
                "WAL/event",
                "heap MB");
        receiver.reset();
        this.endsAt = System.nanoTime();
        this.counts = counts(StorageSample.read(database));
    }

    /** Returns the state of the tables after this number of windows, whose measurements are added to turns. */
    StorageSample measure(int windows, Turns turns, String suffix) throws Exception {
        for (int i = 1; i < windows; i++) {
            measure(turns, suffix);
        }
        return measure(turns, suffix);
    }

    private StorageSample measure(Turns turns, String suffix) throws Exception {
        endsAt += windowNanos;
        TimeUnit.NANOSECONDS.sleep(endsAt - System.nanoTime());
        Arrivals.Summary arrived = receiver.summary();
        receiver.reset();
        StorageSample sample = StorageSample.read(database);
        Counts before = counts;
        counts = counts(sample);
        long settled = counts.settled() - before.settled();
        double perSecond = settled / ((counts.at() - before.at()) / 1e9);
        turns.add("settled/s" + suffix, perSecond);
        turns.add("p50 ms" + suffix, arrived.p50Nanos() / 1e6);
        turns.add("p99 ms" + suffix, arrived.p99Nanos() / 1e6);
        out.printf(
                "%7d %10.1f %8.1f %8.1f %6d %14.1f %13.1f %10.1f %12.1f %8d %8d %10.0f %8.1f%n",
                ++number,
                perSecond,
                arrived.p50Nanos() / 1e6,
                arrived.p99Nanos() / 1e6,
                sample.open(),
                sample.deliveriesBytes() / 1e6,
                sample.openIndexBytes() / 1e6,
                sample.eventsBytes() / 1e6,
                sample.attemptsBytes() / 1e6,
                sample.live(),
                sample.dead(),
                (double) (counts.walBytes() - before.walBytes()) / settled,
                usedHeap() / 1e6);
        return sample;
    }

    private Counts counts(StorageSample sample) throws Exception {
        return new Counts(System.nanoTime(), load.made() - sample.open(), sample.walBytes());
    }

    private static long usedHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /**
     * @param at {@link System#nanoTime}
     * @param settled deliveries that were settled so far
     */
    private record Counts(long at, long settled, long walBytes) {}
}
