package io.credential.audit;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls an audit sink on a separate thread, for an {@link AuditTrail} whose own work must not wait for the sink. At most
 * 10,000 events wait; more are rejected, which the trail counts and logs. An idle thread ends. Thread-safe.
 *
 * @since 0.1.0
 */
public final class AuditThread implements Executor, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AuditThread.class);

    private static final int MAX_WAITING = 10_000;
    private static final long IDLE_SECONDS = 30;
    private static final Duration CLOSE = Duration.ofSeconds(5);

    private final ThreadPoolExecutor executor;

    /** @param name of the thread, which starts with the first event */
    public AuditThread(String name) {
        executor = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_WAITING), task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs the task after all earlier ones.
     *
     * @throws RejectedExecutionException if too many wait, or it is closed
     */
    @Override
    public void execute(Runnable task) {
        executor.execute(task);
    }

    /** Lets the sink take what waits, for five seconds at most. */
    @Override
    public void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(CLOSE.toMillis(), TimeUnit.MILLISECONDS)) {
                endNow();
            }
        } catch (InterruptedException e) {
            endNow();
            Thread.currentThread().interrupt();
        }
    }

    private void endNow() {
        int lost = executor.shutdownNow().size();
        LOG.warn("The audit sink did not take every event in time; at least {} were lost", lost);
    }
}
