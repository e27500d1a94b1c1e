package io.credential.apikey;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread of the registries: every second it rehashes what waits and writes the first uses of keys, every tenth
 * second all last uses.
 */
final class BackgroundWork {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundWork.class);
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final int TICKS_PER_FLUSH = 10;
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(10);

    private final LastUses lastUses;
    private final List<SecretRehasher> rehashers;
    private final UnroutedTokens unrouted;
    private final Object round = new Object();
    private @Nullable ScheduledExecutorService executor;
    private int ticks;

    BackgroundWork(LastUses lastUses, List<SecretRehasher> rehashers, UnroutedTokens unrouted) {
        this.lastUses = lastUses;
        this.rehashers = rehashers;
        this.unrouted = unrouted;
    }

    synchronized void start() {
        if (executor != null) {
            return;
        }
        lastUses.collect();
        rehashers.forEach(SecretRehasher::start);
        executor = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "credential-api-keys");
            thread.setDaemon(true);
            return thread;
        });
        var unused = executor.scheduleWithFixedDelay(
                this::tickSafely, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Stops the thread, then writes what waits; later uses are written at once. */
    synchronized void stop() {
        rehashers.forEach(SecretRehasher::stop);
        ScheduledExecutorService running = executor;
        executor = null;
        if (running != null) {
            running.shutdown();
            awaitEnd(running);
        }
        unrouted.report();
        lastUses.writeThrough();
    }

    /** One round of the thread. */
    void tick() {
        synchronized (round) {
            rehashers.forEach(SecretRehasher::drain);
            ticks++;
            if (ticks % TICKS_PER_FLUSH == 0) {
                unrouted.report();
                lastUses.flushQuietly();
            } else if (lastUses.isFirstUsePending()) {
                lastUses.flushQuietly();
            }
        }
    }

    /** An executor drops a task that throws: a fault in one round must not end all further ones. */
    private void tickSafely() {
        try {
            tick();
        } catch (RuntimeException e) {
            LOG.error("Background work of the API keys failed; it is tried again in {}", TICK, e);
        }
    }

    private static void awaitEnd(ScheduledExecutorService executor) {
        try {
            if (!executor.awaitTermination(STOP_DEADLINE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("Background work of the API keys did not end within {}", STOP_DEADLINE);
                executor.shutdownNow();
            }
        } catch (InterruptedException e) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
