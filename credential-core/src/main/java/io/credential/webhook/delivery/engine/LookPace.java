package io.credential.webhook.delivery.engine;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Decides when a node looks at the table: when it is polled, but if anything is open, an expensive look is repeated only
 * after a pause, so that looks take at most 2 % of the time. Without polls, it looks every 15 seconds, since a node does not
 * remember every due time of an endpoint. Thread-safe.
 */
final class LookPace {

    static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);

    /** The pause after a look, as a multiple of its duration. */
    private static final int PAUSE_PER_LOOK = 50;

    private final LongSupplier nanoTime;
    private volatile boolean polled;
    private volatile long nextLook;
    private volatile long latestLook;

    LookPace(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.nextLook = nanoTime.getAsLong();
        this.latestLook = nextLook + LONGEST_PAUSE.toNanos();
    }

    /**
     * Asks for a look. If the pause is not over, the request is kept.
     *
     * @return whether the look is due
     */
    boolean poll() {
        polled = true;
        return isDue();
    }

    /** Whether a look was asked for and the pause after the last one is over, or the last one began too long ago. */
    boolean isDue() {
        long now = nanoTime.getAsLong();
        return (polled && now - nextLook >= 0) || now - latestLook >= 0;
    }

    /** Meets all requests until now; to be called before a look. Returns the time, for {@link #end}. */
    long begin() {
        polled = false;
        return nanoTime.getAsLong();
    }

    /**
     * @param begun what {@link #begin} returned
     * @param foundOpen whether the look found anything open
     */
    void end(long begun, boolean foundOpen) {
        long pause = Math.min(PAUSE_PER_LOOK * (nanoTime.getAsLong() - begun), LONGEST_PAUSE.toNanos());
        nextLook = begun + (foundOpen ? pause : 0);
        latestLook = begun + LONGEST_PAUSE.toNanos();
    }
}
