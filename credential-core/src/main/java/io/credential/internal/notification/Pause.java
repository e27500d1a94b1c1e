package io.credential.internal.notification;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** A pause of a thread that must end early when the thread is stopped. */
final class Pause {

    private Pause() {}

    /**
     * Waits until the time is over or the condition no longer holds.
     *
     * @param monitor held by the caller, and notified when the condition changes
     * @param nanoTime a monotonic clock
     */
    static void whileTrue(BooleanSupplier condition, Object monitor, Duration longest, LongSupplier nanoTime)
            throws InterruptedException {
        long end = nanoTime.getAsLong() + longest.toNanos();
        for (long left = longest.toNanos(); condition.getAsBoolean() && left > 0; left = end - nanoTime.getAsLong()) {
            TimeUnit.NANOSECONDS.timedWait(monitor, left);
        }
    }
}
