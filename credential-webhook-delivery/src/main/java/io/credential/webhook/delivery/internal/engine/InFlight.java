package io.credential.webhook.delivery.internal.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Counts what this node has claimed and not settled yet, which other nodes must not take over. Thread-safe. */
final class InFlight {

    private final int most;
    private int deliveries;
    private int openReservations;

    /** @param most from how many deliveries on none should be claimed */
    InFlight(int most) {
        this.most = most;
    }

    synchronized void begin() {
        deliveries++;
    }

    /** Returns whether deliveries can be claimed again, which could not before. */
    synchronized boolean end() {
        boolean wasFull = isFull();
        deliveries--;
        if (deliveries == 0) {
            notifyAll();
        }
        return wasFull && !isFull();
    }

    /** Notes that deliveries are being stored under a claim, in a transaction of a caller. */
    synchronized void beginReservation() {
        openReservations++;
    }

    synchronized void endReservation() {
        openReservations--;
    }

    /** Returns whether attempts end faster than their outcomes are stored. */
    synchronized boolean isFull() {
        return deliveries >= most;
    }

    /** Returns how many deliveries this node has taken whose outcome is not stored yet. */
    synchronized int deliveries() {
        return deliveries;
    }

    synchronized boolean holdsClaims() {
        return deliveries > 0 || openReservations > 0;
    }

    /** Waits until every outcome is stored; returns false if that takes longer or the thread is interrupted. */
    synchronized boolean awaitIdle(Duration longest) {
        long deadline = System.nanoTime() + longest.toNanos();
        while (deliveries > 0) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }
}
