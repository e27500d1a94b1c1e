package io.credential.webhook.http;

import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;

/**
 * The attempt of an exchange that is under way. An attempt can fail on another thread, and the next one be started
 * there, before the one who started the first has its future in hand; that late future must not take the place of the
 * newer one, which then could not be stopped any more. Thread-safe.
 */
final class LatestAttempt {

    private int latest;

    private @Nullable Future<?> current;

    private boolean stopped;

    /** To be called before an attempt is started; the number says which future belongs to it. */
    synchronized int next() {
        current = null;
        return ++latest;
    }

    /** Keeps the future of the newest attempt; that of an older one, or of one that comes after the end, is stopped. */
    void started(int number, Future<?> future) {
        synchronized (this) {
            if (number == latest && !stopped) {
                current = future;
                return;
            }
        }
        future.cancel(false);
    }

    /** Stops the attempt under way, and whichever is reported after this. */
    void stop() {
        Future<?> running;
        synchronized (this) {
            stopped = true;
            running = current;
            current = null;
        }
        if (running != null) {
            running.cancel(false); // outside the lock, for it runs callbacks
        }
    }
}
