package io.credential.webhook.delivery.internal.engine;

import java.time.InstantSource;

/** Lets one thread sleep until there is work. Thread-safe. */
public final class Wakeup {

    private final InstantSource clock;
    private long nextDue = Long.MAX_VALUE;
    private boolean rung;

    public Wakeup(InstantSource clock) {
        this.clock = clock;
    }

    /** Wakes the thread. If it is not sleeping, its next sleep ends immediately. */
    public synchronized void now() {
        rung = true;
        notifyAll();
    }

    /** Wakes the thread at this time, in Unix milliseconds, unless an earlier time is set. */
    synchronized void at(long time) {
        if (time < nextDue) {
            nextDue = time;
            notifyAll();
        }
    }

    /**
     * Sleeps until the thread is woken, but no longer than this.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    synchronized void await(long longestMillis) throws InterruptedException {
        long deadline = System.nanoTime() + longestMillis * 1_000_000;
        while (!rung && !isDue()) {
            long left = Math.min((deadline - System.nanoTime()) / 1_000_000, nextDue - clock.millis());
            if (left <= 0) {
                break;
            }
            wait(left);
        }
        rung = false;
        if (isDue()) {
            nextDue = Long.MAX_VALUE;
        }
    }

    /** Compares: the time left to {@link Long#MIN_VALUE}, which means at once, would overflow. */
    private boolean isDue() {
        return nextDue <= clock.millis();
    }
}
