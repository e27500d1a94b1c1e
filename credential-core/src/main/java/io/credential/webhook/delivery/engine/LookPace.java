package io.credential.webhook.delivery.engine;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Decides when a node looks at the table of deliveries: when it is polled, and at least every 15 seconds, because it does
 * not remember every due time of an endpoint. If a look finds open deliveries, the next one waits fifty times its duration,
 * so that looks take at most 2% of the time. After one that finds nothing, it waits 100 milliseconds, because
 * everyone who can connect to the database can request looks. One that fails is repeated after a pause as long as it took,
 * but at least a second. Thread-safe.
 */
final class LookPace {

    static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);

    /** The pause after a look, as a multiple of its duration. */
    private static final int PAUSE_PER_LOOK = 50;

    private static final Duration PAUSE_AFTER_NOTHING = Duration.ofMillis(100);
    private static final Duration SHORTEST_PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

    private final LongSupplier nanoTime;
    private volatile boolean polled;
    private volatile long nextLook;
    private volatile long latestLook;

    LookPace(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.nextLook = nanoTime.getAsLong();
        this.latestLook = nextLook + LONGEST_PAUSE.toNanos();
    }

    /** Requests a look. The request is kept until the pause is over. */
    void poll() {
        polled = true;
    }

    /** Returns whether a look was requested and the pause after the last one is over, or the last one is too old. */
    boolean isDue() {
        long now = nanoTime.getAsLong();
        return (polled && now - nextLook >= 0) || now - latestLook >= 0;
    }

    /** Returns the time until the next look is due, in milliseconds; at least 1. */
    long millisToLook() {
        long now = nanoTime.getAsLong();
        long left = polled ? Math.min(nextLook - now, latestLook - now) : latestLook - now;
        return Math.max(0, left) / 1_000_000 + 1;
    }

    /** Clears the requests; to be called before a look. Returns the time for {@link #end}. */
    long begin() {
        polled = false;
        return nanoTime.getAsLong();
    }

    /**
     * @param begun what {@link #begin} returned
     * @param foundOpen whether the look found anything open
     */
    void end(long begun, boolean foundOpen) {
        nextLook =
                begun + (foundOpen ? PAUSE_PER_LOOK * (nanoTime.getAsLong() - begun) : PAUSE_AFTER_NOTHING.toNanos());
        latestLook = begun + LONGEST_PAUSE.toNanos();
    }

    /** @param begun what {@link #begin} returned */
    void failed(long begun) {
        long now = nanoTime.getAsLong();
        nextLook = now + Math.max(now - begun, SHORTEST_PAUSE_AFTER_FAILURE.toNanos());
        latestLook = nextLook;
    }
}
