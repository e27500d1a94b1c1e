package io.credential.apikey.internal;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.internal.usage.UsageCounts;
import io.credential.audit.internal.AuditTrail;
import io.credential.internal.concurrent.OwnedSchedule;

/**
 * Runs the background work of all registries on one thread. Every second, it rehashes secrets, and writes the first uses
 * of keys and the usage that was counted. Every ten seconds, it writes all last uses and reports how many tokens were rejected.
 */
final class BackgroundWork {

    private static final Duration TICK = Duration.ofSeconds(1);
    private static final int TICKS_PER_FLUSH = 10;
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(10);

    private final LastUses lastUses;
    private final @Nullable UsageCounts usage;
    private final List<SecretRehasher> rehashers;
    private final List<AuditTrail> trails;
    private final Object round = new Object();
    private final OwnedSchedule schedule = new OwnedSchedule("credential-api-keys", STOP_DEADLINE, this::tick);
    private int ticks;

    /** @param usage null if usage is not counted */
    BackgroundWork(
            LastUses lastUses, @Nullable UsageCounts usage, List<SecretRehasher> rehashers, List<AuditTrail> trails) {
        this.lastUses = lastUses;
        this.usage = usage;
        this.rehashers = rehashers;
        this.trails = List.copyOf(trails);
    }

    synchronized void start() {
        if (schedule.isRunning()) {
            return;
        }
        lastUses.collect();
        if (usage != null) {
            usage.collect();
        }
        rehashers.forEach(SecretRehasher::start);
        schedule.start(TICK, TICK);
    }

    /** Stops the thread, then writes pending uses and counts; later ones are written immediately. */
    synchronized void stop() {
        rehashers.forEach(SecretRehasher::stop);
        schedule.stop();
        trails.forEach(AuditTrail::reportAllRejections);
        lastUses.writeThrough();
        if (usage != null) {
            usage.writeThrough();
        }
    }

    /** One round of the thread. */
    void tick() {
        synchronized (round) {
            rehashers.forEach(SecretRehasher::drain);
            ticks++;
            writeUsage();
            if (ticks % TICKS_PER_FLUSH == 0) {
                trails.forEach(AuditTrail::reportRejections);
                lastUses.flushQuietly();
            } else if (lastUses.isFirstUsePending()) {
                lastUses.flushQuietly();
            }
        }
    }

    /** After a failure, waits ten seconds before the next attempt. */
    private void writeUsage() {
        if (usage != null && (!usage.hasFailed() || ticks % TICKS_PER_FLUSH == 0)) {
            var unused = usage.flushQuietly();
        }
    }
}
