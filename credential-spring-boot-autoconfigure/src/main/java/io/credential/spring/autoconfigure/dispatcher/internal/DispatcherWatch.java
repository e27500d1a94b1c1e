package io.credential.spring.autoconfigure.dispatcher.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

import org.jspecify.annotations.Nullable;

import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.storage.internal.RepeatedWork;
import io.credential.webhook.delivery.DispatcherActivity;
import io.credential.webhook.delivery.DispatcherBacklog;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

/**
 * Shows the auto-configured dispatcher to metrics, health and endpoints, if it was created. The backlog is read every 15 seconds in
 * the background, never by those who ask for it; after a read that took long, the next one waits fifty times as long, at
 * most two minutes. Thread-safe.
 */
public final class DispatcherWatch {

    private static final Duration INTERVAL = Duration.ofSeconds(15);
    private static final int PAUSE_PER_READ = 50;
    private static final long LONGEST_PAUSE = Duration.ofMinutes(2).toNanos();
    private static final long LONGEST_KNOWN = LONGEST_PAUSE + INTERVAL.toNanos();
    private static final double NANOS_PER_SECOND = 1e9;

    private final CredentialSchedule schedule;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final AtomicBoolean reading = new AtomicBoolean();
    private volatile @Nullable JdbcWebhookDispatcher dispatcher;
    private volatile long createdAt;
    private volatile @Nullable Reading latest;
    private volatile boolean failing;

    /** @param nanoTime as {@link System#nanoTime} */
    public DispatcherWatch(CredentialSchedule schedule, InstantSource clock, LongSupplier nanoTime) {
        this.schedule = schedule;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    public void created(JdbcWebhookDispatcher created) {
        createdAt = nanoTime.getAsLong();
        dispatcher = created;
    }

    /** Returns the dispatcher; empty if it was not created. */
    public Optional<JdbcWebhookDispatcher> dispatcher() {
        return Optional.ofNullable(dispatcher);
    }

    /** Starts reading the backlog in the background, unless that has been done. */
    public void readBacklog() {
        if (reading.compareAndSet(false, true)) {
            schedule.add(
                    "credential.webhook.backlog",
                    Duration.ZERO,
                    INTERVAL,
                    new RepeatedWork(
                            "Could not read the backlog of the webhook dispatcher for its metrics; retrying every 15"
                                    + " seconds",
                            this::refresh));
        }
    }

    /** Returns a number of the backlog; NaN if it was not read recently, or the last read failed. */
    public double ofBacklog(ToDoubleFunction<DispatcherBacklog> number) {
        return backlog().map(number::applyAsDouble).orElse(Double.NaN);
    }

    /** Returns the backlog; empty if it was not read recently, or the last read failed. */
    public Optional<DispatcherBacklog> backlog() {
        Reading read = latest;
        return read == null || failing || nanoTime.getAsLong() - read.endedAt() > LONGEST_KNOWN
                ? Optional.empty()
                : Optional.of(read.backlog());
    }

    /** Returns for how many seconds the oldest pending delivery has been due; 0 if none is. */
    public double oldestDueAge() {
        return ofBacklog(backlog -> {
            Instant oldest = backlog.oldestDueAt();
            long millis = oldest == null
                    ? 0
                    : Duration.between(oldest, clock.instant()).toMillis();
            return Math.max(0, millis) / 1e3;
        });
    }

    /**
     * Returns how many seconds ago the backlog was last read, or the dispatcher was created if it has never been read; NaN if
     * the dispatcher was not created.
     */
    public double backlogAge() {
        if (dispatcher == null) {
            return Double.NaN;
        }
        Reading read = latest;
        return (nanoTime.getAsLong() - (read == null ? createdAt : read.endedAt())) / NANOS_PER_SECOND;
    }

    /** Returns a number of this node; NaN if the dispatcher was not created. */
    public double ofNode(ToDoubleFunction<DispatcherActivity> number) {
        JdbcWebhookDispatcher created = dispatcher;
        return created == null ? Double.NaN : number.applyAsDouble(created.activity());
    }

    /** Reads the backlog unless the pause after the last read is not over. */
    public void refresh() {
        JdbcWebhookDispatcher created = dispatcher;
        Reading last = latest;
        long begun = nanoTime.getAsLong();
        if (created == null || (last != null && begun - last.endedAt() < last.pause())) {
            return;
        }
        try {
            DispatcherBacklog backlog = created.backlog();
            long ended = nanoTime.getAsLong();
            latest = new Reading(backlog, ended, ended - begun);
            failing = false;
        } catch (RuntimeException | Error e) {
            failing = true;
            throw e;
        }
    }

    /** In terms of {@link System#nanoTime}. */
    private record Reading(DispatcherBacklog backlog, long endedAt, long took) {

        long pause() {
            return Math.min(PAUSE_PER_READ * took, LONGEST_PAUSE);
        }
    }
}
