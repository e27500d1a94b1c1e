package io.credential.webhook.delivery.endpoint;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.credential.concurrent.SingleThread;

/**
 * Runs the statements of the {@link FailureRecord}, for which attempts must not wait. At most 10,000 wait; further ones are
 * rejected. The thread ends when it is idle. Thread-safe.
 *
 * @since 0.1.0
 */
public final class FailureThread implements Executor, AutoCloseable {

    private static final int MAX_WAITING = 10_000;
    private static final Duration CLOSE = Duration.ofSeconds(5);

    private final ThreadPoolExecutor thread =
            SingleThread.executor("credential-webhook-failures", new ArrayBlockingQueue<>(MAX_WAITING));

    /**
     * Runs the task after all earlier ones.
     *
     * @throws RejectedExecutionException if too many wait, or it is closed
     */
    @Override
    public void execute(Runnable task) {
        thread.execute(task);
    }

    /** Waits up to five seconds for the tasks that were given before. Later attempts, on any node, make up for the others. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE.toMillis(), TimeUnit.MILLISECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
