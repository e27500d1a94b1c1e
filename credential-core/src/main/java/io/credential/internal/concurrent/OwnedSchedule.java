package io.credential.internal.concurrent;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats work with a pause between its rounds, on one daemon thread that its owner starts and stops. There is no
 * thread before {@link #start}; after {@link #stop} it can be started again. A round that throws is logged and does not
 * end the rounds after it. Thread-safe.
 */
public final class OwnedSchedule {

    /** The time from the start of a requested round to that of the next, so that no flood of requests causes one of rounds. */
    private static final Duration PAUSE_OF_REQUESTED = Duration.ofMillis(500);

    private static final Logger LOG = LoggerFactory.getLogger(OwnedSchedule.class);

    private final String threadName;
    private final Duration stopDeadline;
    private final Runnable round;
    private final AtomicBoolean requested = new AtomicBoolean();
    private volatile long nextRequested;
    private volatile @Nullable ScheduledExecutorService executor;

    /**
     * @param threadName the name of the thread
     * @param stopDeadline how long {@link #stop} waits for a running round before it interrupts it
     * @param round the work; never run by two threads at once, unless one ignored an interrupt
     */
    public OwnedSchedule(String threadName, Duration stopDeadline, Runnable round) {
        this.threadName = threadName;
        this.stopDeadline = stopDeadline;
        this.round = round;
    }

    /**
     * Starts the thread; does nothing if it is running.
     *
     * @param first the time until the first round
     * @param pause the time between the end of a round and the start of the next
     */
    public synchronized void start(Duration first, Duration pause) {
        if (executor != null) {
            return;
        }
        ScheduledThreadPoolExecutor starting = new ScheduledThreadPoolExecutor(1, DaemonThreads.named(threadName));
        starting.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        requested.set(false);
        nextRequested = System.nanoTime();
        // The future would only tell of a failure, and a round reports its own.
        var unused = starting.scheduleWithFixedDelay(this::run, first.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
        executor = starting;
    }

    /**
     * Runs one more round as soon as the thread is free, but at most two in a second, and leaves the times of the others as
     * they are. Requests before it begins are one. Returns at once; does nothing if it is not running.
     */
    public void runSoon() {
        ScheduledExecutorService running = executor;
        if (running == null || !requested.compareAndSet(false, true)) {
            return;
        }
        try {
            long delay = Math.max(0, nextRequested - System.nanoTime());
            var unused = running.schedule(this::runRequested, delay, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("Thread {} was stopped meanwhile", threadName, e);
        }
    }

    private void runRequested() {
        nextRequested = System.nanoTime() + PAUSE_OF_REQUESTED.toNanos();
        requested.set(false);
        run();
    }

    /**
     * Waits for a running round and starts no further one. After the deadline, or when the caller is interrupted, the
     * round is interrupted; the caller stays interrupted. Does nothing if it is not running.
     */
    public synchronized void stop() {
        ScheduledExecutorService stopping = executor;
        executor = null;
        if (stopping == null) {
            return;
        }
        if (DaemonThreads.close(stopping, stopDeadline) != null
                && !Thread.currentThread().isInterrupted()) {
            LOG.warn("Thread {} did not end its work within {} and is interrupted", threadName, stopDeadline);
        }
    }

    /** Whether it was started and not stopped since then. */
    public boolean isRunning() {
        return executor != null;
    }

    /** An executor silently drops a task that throws; a failed round must not end all further ones. */
    private void run() {
        try {
            round.run();
        } catch (RuntimeException | Error e) {
            LOG.error("A run of thread {} failed; it continues with the next", threadName, e);
        }
    }
}
