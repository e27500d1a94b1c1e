package io.credential.webhook.http.internal;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.credential.internal.concurrent.DaemonThreads;

/** Runs short work at deadlines. Its one thread starts with the first deadline. */
public class DeadlineTimer implements AutoCloseable {

    private final ScheduledThreadPoolExecutor executor;

    public DeadlineTimer(String threadName) {
        executor = new ScheduledThreadPoolExecutor(1, DaemonThreads.numbered(threadName));
        executor.setRemoveOnCancelPolicy(true); // most are cancelled, and must not stay in the queue
    }

    /**
     * @throws RejectedExecutionException if the timer is closed
     */
    public Future<?> after(Duration delay, Runnable work) {
        return executor.schedule(work, TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS);
    }

    /**
     * Repeats work until the timer is closed.
     *
     * @throws RejectedExecutionException if the timer is closed
     */
    @SuppressWarnings("FutureReturnValueIgnored") // closing the timer ends the work
    void every(Duration interval, Runnable work) {
        long nanos = TimeUnit.NANOSECONDS.convert(interval);
        executor.scheduleWithFixedDelay(work, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
