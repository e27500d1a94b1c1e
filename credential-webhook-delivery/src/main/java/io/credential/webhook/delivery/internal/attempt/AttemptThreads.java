package io.credential.webhook.delivery.internal.attempt;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.internal.concurrent.DaemonThreads;

/**
 * The threads that start attempts: a few are enough for signing and short reads. Their queue is bounded by the maximum
 * number of attempts in flight. Idle threads end. Thread-safe.
 */
public final class AttemptThreads implements Executor, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AttemptThreads.class);

    private static final int THREADS =
            Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors()));
    private static final long IDLE_SECONDS = 30;

    private final ThreadPoolExecutor threads;

    public AttemptThreads() {
        this.threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                DaemonThreads.numbered("credential-webhook-attempt"));
        threads.allowCoreThreadTimeOut(true);
    }

    /** Runs the task on the current thread if no other is available. Otherwise it would keep its place in its lane forever. */
    @Override
    public void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            LOG.warn("No thread is available to start a webhook attempt; the current one starts it", e);
            task.run();
        }
    }

    /** Lets the tasks that were given before run. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
