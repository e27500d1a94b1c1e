package io.credential.webhook.delivery.attempt;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The few threads that start attempts: signing, and short reads. How much can queue up for them is bounded by what may be
 * in flight. Idle threads end. Thread-safe.
 */
final class AttemptThreads implements Executor, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AttemptThreads.class);

    private static final int THREADS =
            Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors()));
    private static final long IDLE_SECONDS = 30;

    private final ThreadPoolExecutor threads;

    AttemptThreads() {
        AtomicInteger count = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "credential-webhook-attempt-" + count.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** An attempt without a thread would keep its place in its lane forever; starting it is short work for any thread. */
    @Override
    public void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            LOG.warn("No thread is available to start a webhook attempt; the current one starts it", e);
            task.run();
        }
    }

    /** What was given before is still run. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
