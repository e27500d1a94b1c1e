package io.credential.webhook.delivery.internal.history;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.internal.concurrent.DaemonThreads;

/**
 * Runs work on one thread when it is requested. Requests that arrive before it begins are merged. The thread ends when it is
 * idle. Thread-safe.
 */
final class RequestedWork {

    private static final Logger LOG = LoggerFactory.getLogger(RequestedWork.class);

    /** How long interrupted work may take to end. */
    private static final Duration LAST_STEP = Duration.ofSeconds(2);

    private final String threadName;
    private final Runnable work;
    private volatile @Nullable ThreadPoolExecutor executor;
    private @Nullable ThreadPoolExecutor stopping;

    /** @param work should end soon after {@link #stop} */
    RequestedWork(String threadName, Runnable work) {
        this.threadName = threadName;
        this.work = work;
    }

    /** Allows requests; does nothing if they are allowed. */
    synchronized void start() {
        if (executor == null) {
            ThreadPoolExecutor starting = DaemonThreads.single(threadName, new ArrayBlockingQueue<>(1));
            starting.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
            executor = starting;
        }
    }

    boolean isRunning() {
        return executor != null;
    }

    /** Returns immediately; does nothing if it is not running. */
    void request() {
        ThreadPoolExecutor running = executor;
        if (running != null) {
            try {
                running.execute(work);
            } catch (RejectedExecutionException e) {
                LOG.error("No thread {} is available; the next request tries again", threadName, e);
            }
        }
    }

    /** Ignores requests from now on. Returns immediately; see {@link #awaitStopped}. */
    synchronized void stop() {
        if (executor != null) {
            stopping = executor;
            executor = null;
            stopping.getQueue().clear();
            stopping.shutdown();
        }
    }

    /** After {@link #stop}, waits for running work. It is interrupted after the limit, and then has two seconds to end. */
    synchronized void awaitStopped(Duration limit) {
        if (stopping == null) {
            return;
        }
        try {
            if (!stopping.awaitTermination(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                var unused = stopping.shutdownNow();
                if (!stopping.awaitTermination(LAST_STEP.toNanos(), TimeUnit.NANOSECONDS)) {
                    LOG.warn("Thread {} has not ended its work after {}", threadName, limit.plus(LAST_STEP));
                }
            }
        } catch (InterruptedException e) {
            var unused = stopping.shutdownNow();
            Thread.currentThread().interrupt();
        }
        stopping = null;
    }
}
