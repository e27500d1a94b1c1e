package io.credential.auditlog.internal;

import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.audit.internal.AuditThread;
import io.credential.storage.DatabaseFault;

/**
 * Passes events to the writer of a chain, in batches and on its own thread, so that nobody waits for the database. If the
 * database fails, a batch is repeated until it is stored. Thread-safe.
 */
final class JdbcAuditSink implements AuditSink, AutoCloseable {

    static final String THREAD = "credential-audit-log";

    private static final Logger LOG = LoggerFactory.getLogger(JdbcAuditSink.class);

    private static final int CAPACITY = 10_000;
    private static final int BATCH = 500;
    private static final Duration MAX_WAIT = Duration.ofSeconds(1);

    /** Collects events that come one by one, so that they share a commit. */
    private static final Duration LINGER = Duration.ofMillis(50);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final ChainWriter writer;
    private final OverflowPolicy onOverflow;
    private final boolean verifications;
    private final BlockingQueue<AuditEvent> queue = new ArrayBlockingQueue<>(CAPACITY);
    private final AuditThread thread;
    private final AtomicBoolean running = new AtomicBoolean();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong unreported = new AtomicLong();

    /** Events that were taken from the queue and are not stored; used by the thread, and then by close(). */
    private final Deque<AuditEvent> taken = new ConcurrentLinkedDeque<>();

    private volatile boolean closed;

    /** @param verifications whether successful verifications are stored, of which each request has one */
    JdbcAuditSink(ChainWriter writer, OverflowPolicy onOverflow, boolean verifications) {
        this(writer, onOverflow, verifications, new AuditThread(THREAD));
    }

    JdbcAuditSink(ChainWriter writer, OverflowPolicy onOverflow, boolean verifications, AuditThread thread) {
        this.writer = writer;
        this.onOverflow = onOverflow;
        this.verifications = verifications;
        this.thread = thread;
    }

    @Override
    public void record(AuditEvent event) {
        if (!verifications && isVerification(event)) {
            return;
        }
        if (closed || !queued(event) || (closed && queue.remove(event))) { // closed meanwhile: nobody may take it
            lose();
        }
        run();
    }

    long lostEvents() {
        return lost.get();
    }

    /** Returns how many events are not stored yet. Approximate while events are taken from the queue. */
    int waitingEvents() {
        return queue.size() + taken.size();
    }

    private static boolean isVerification(AuditEvent event) {
        return event.outcome() == AuditEvent.Outcome.SUCCESS
                && (event.name().equals("apikey.verify") || event.name().equals("webhook.verify"));
    }

    private boolean queued(AuditEvent event) {
        if (queue.offer(event)) {
            return true;
        }
        run(); // otherwise nobody may be making room
        // The writer may need a lock or a connection that the transaction of the caller holds.
        if (onOverflow == OverflowPolicy.DROP || TransactionSynchronizationManager.isActualTransactionActive()) {
            return false;
        }
        try {
            return queue.offer(event, MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void lose() {
        lost.incrementAndGet();
        if (unreported.getAndIncrement() == 0) {
            LOG.warn("Audit events are not stored, because {}; they are counted", reason());
        }
    }

    private String reason() {
        return closed ? "the audit log is closed" : "more than " + CAPACITY + " wait for the database";
    }

    /** Starts writing the waiting events, unless the thread is doing so. */
    private void run() {
        if (!closed && running.compareAndSet(false, true)) {
            try {
                thread.execute(this::writeAll);
            } catch (RejectedExecutionException e) {
                running.set(false);
                LOG.debug("No thread is available to store audit events, or the audit log is closed", e);
            }
        }
    }

    private void writeAll() {
        try {
            while (take()) {
                write(List.copyOf(taken));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // only while closing, which counts what is left
            return;
        } finally {
            running.set(false);
        }
        if (!queue.isEmpty() || unreported.get() > 0) {
            run();
        }
    }

    /** Takes the next events, preceded by a count of lost ones; returns false if there are none. */
    private boolean take() throws InterruptedException {
        queue.drainTo(taken, BATCH - taken.size()); // after an error, some are left of the last batch
        if (!taken.isEmpty() && taken.size() < BATCH && !closed) {
            TimeUnit.MILLISECONDS.sleep(LINGER.toMillis());
            queue.drainTo(taken, BATCH - taken.size());
        }
        long missing = unreported.getAndSet(0);
        if (missing > 0) {
            LOG.warn("{} audit events were lost; an entry of the audit log tells their number", missing);
            taken.addFirst(writer.lost(missing));
        }
        return !taken.isEmpty();
    }

    /** Stores a batch, however often the database fails. */
    private void write(List<AuditEvent> batch) throws InterruptedException {
        Duration pause = FIRST_PAUSE;
        while (true) {
            try {
                writer.append(batch);
                batch.forEach(taken::removeFirstOccurrence);
                return;
            } catch (RuntimeException e) {
                if (isRejection(e) && batch.size() > 1) {
                    for (AuditEvent event : batch) {
                        write(List.of(event));
                    }
                    return;
                }
                if (isRejection(e) && !batch.get(0).name().equals(ChainWriter.LOST)) {
                    taken.removeFirstOccurrence(batch.get(0));
                    reject(batch.get(0), e);
                    return;
                }
                LOG.warn(
                        "Could not store {} audit events ({}); trying again in {}",
                        batch.size(),
                        DatabaseFault.explain(e),
                        pause,
                        e);
                TimeUnit.MILLISECONDS.sleep(pause.toMillis());
                pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
        }
    }

    /** Returns whether the database rejects a value of an event. Opening entries are tried again instead. */
    private boolean isRejection(RuntimeException e) {
        return e instanceof DataIntegrityViolationException && writer.isOpen();
    }

    private void reject(AuditEvent event, RuntimeException cause) {
        LOG.warn("The database rejects the audit event {}, which is lost", event.name(), cause);
        lost.incrementAndGet();
        unreported.incrementAndGet();
    }

    /** Stores waiting events within five seconds, and ends the chain. Later events are lost. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            thread.execute(this::finish);
        } catch (RejectedExecutionException e) {
            LOG.debug("No thread is available to store the last audit events", e);
        }
        thread.close();
        queue.drainTo(taken);
        taken.removeIf(event -> event.name().equals(ChainWriter.LOST)); // counted before
        long left = taken.size() + unreported.get();
        if (left > 0) {
            lost.addAndGet(taken.size());
            LOG.warn("{} audit events were not stored in the audit log, nor their number", left);
        }
    }

    private void finish() {
        writeAll();
        if (!Thread.currentThread().isInterrupted()) {
            try {
                writer.close();
            } catch (RuntimeException e) {
                LOG.warn("Could not close the chain of the audit log; another is begun at the next start", e);
            }
        }
    }
}
