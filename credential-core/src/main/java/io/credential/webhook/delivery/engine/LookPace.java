package io.credential.webhook.delivery.engine;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Decides when a node looks at the table: when it is polled, but if anything is open, an expensive look is repeated only
 * after a pause, so that looks take at most 2 % of the time. Thread-safe.
 */
final class LookPace {

    static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);

    /** The pause after a look, as a multiple of its duration. */
    private static final int PAUSE_PER_LOOK = 50;

    private final LongSupplier nanoTime;
    private volatile boolean polled;
    private volatile long nextLook;

    LookPace(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.nextLook = nanoTime.getAsLong();
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

    /** Whether a look was asked for, and the pause after the last one is over. */
    boolean isDue() {
        return polled && nanoTime.getAsLong() - nextLook >= 0;
    }

    /** Meets the requests until now; to be called before a look. */
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
    }
}
