package io.credential.spring.autoconfigure.inbox.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToDoubleFunction;

import org.jspecify.annotations.Nullable;

import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.storage.internal.RepeatedWork;
import io.credential.webhook.inbox.internal.InboxBacklog;
import io.credential.webhook.inbox.internal.InboxWorker;

/** Reads the backlog of the inbox every 15 seconds in the background, never for those who ask for it. Thread-safe. */
public final class InboxWatch {

    private static final Duration INTERVAL = Duration.ofSeconds(15);

    private final @Nullable InboxWorker worker;
    private final CredentialSchedule schedule;
    private final AtomicBoolean reading = new AtomicBoolean();
    private volatile @Nullable InboxBacklog latest;

    /** @param worker null has no backlog */
    public InboxWatch(@Nullable InboxWorker worker, CredentialSchedule schedule) {
        this.worker = worker;
        this.schedule = schedule;
    }

    /** Starts reading the backlog in the background, unless that has been done. */
    public void readBacklog() {
        InboxWorker known = worker;
        if (known != null && reading.compareAndSet(false, true)) {
            schedule.add(
                    "credential.webhook.inbox.backlog",
                    Duration.ZERO,
                    INTERVAL,
                    new RepeatedWork(
                            "Could not read the backlog of the inbox for its metrics; retrying every 15 seconds",
                            () -> refresh(known)));
        }
    }

    private void refresh(InboxWorker known) {
        latest = null; // unknown if the read fails
        latest = known.backlog();
    }

    /** Returns the backlog; empty if it was not read, or the last read failed. */
    public Optional<InboxBacklog> backlog() {
        return Optional.ofNullable(latest);
    }

    /** Returns a number of the backlog; NaN if it was not read, or the last read failed. */
    public double ofBacklog(ToDoubleFunction<InboxBacklog> number) {
        return backlog().map(number::applyAsDouble).orElse(Double.NaN);
    }
}
