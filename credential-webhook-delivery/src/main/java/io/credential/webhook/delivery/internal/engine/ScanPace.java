package io.credential.webhook.delivery.internal.engine;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Decides when a node scans the table of deliveries: when it is polled, and at least every 15 seconds, because it does
 * not remember every due time of an endpoint. If a scan finds open deliveries, the next one waits fifty times its duration,
 * so that scans take at most 2% of the time. After one that finds nothing, it waits 100 milliseconds, because
 * everyone who can connect to the database can request scans. One that fails is repeated after a pause as long as it took,
 * but at least a second. Thread-safe.
 */
final class ScanPace {

    static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);

    /** The pause after a scan, as a multiple of its duration. */
    private static final int PAUSE_PER_SCAN = 50;

    private static final Duration PAUSE_AFTER_NOTHING = Duration.ofMillis(100);
    private static final Duration SHORTEST_PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

    private final LongSupplier nanoTime;
    private volatile boolean polled;
    private volatile long nextScan;
    private volatile long latestScan;

    ScanPace(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.nextScan = nanoTime.getAsLong();
        this.latestScan = nextScan + LONGEST_PAUSE.toNanos();
    }

    /** Requests a scan. The request is kept until the pause is over. */
    void poll() {
        polled = true;
    }

    /** Returns whether a scan was requested and the pause after the last one is over, or the last one is too old. */
    boolean isDue() {
        long now = nanoTime.getAsLong();
        return (polled && now - nextScan >= 0) || now - latestScan >= 0;
    }

    /** Returns the time until the next scan is due, in milliseconds; at least 1. */
    long millisToScan() {
        long now = nanoTime.getAsLong();
        long left = polled ? Math.min(nextScan - now, latestScan - now) : latestScan - now;
        return Math.max(0, left) / 1_000_000 + 1;
    }

    /** Clears the requests; to be called before a scan. Returns the time for {@link #end}. */
    long begin() {
        polled = false;
        return nanoTime.getAsLong();
    }

    /**
     * @param begun what {@link #begin} returned
     * @param foundOpen whether the scan found anything open
     */
    void end(long begun, boolean foundOpen) {
        nextScan =
                begun + (foundOpen ? PAUSE_PER_SCAN * (nanoTime.getAsLong() - begun) : PAUSE_AFTER_NOTHING.toNanos());
        latestScan = begun + LONGEST_PAUSE.toNanos();
    }

    /** @param begun what {@link #begin} returned */
    void failed(long begun) {
        long now = nanoTime.getAsLong();
        nextScan = now + Math.max(now - begun, SHORTEST_PAUSE_AFTER_FAILURE.toNanos());
        latestScan = nextScan;
    }
}
