package io.credential.internal.concurrent;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * Creates daemon threads, and closes their executors. The threads do not inherit thread-locals of whoever gives the first
 * task, such as a security context.
 */
public final class DaemonThreads {

    private static final long IDLE_SECONDS = 30;

    private DaemonThreads() {}

    /** Returns a factory of threads that all have this name. */
    public static ThreadFactory named(String name) {
        return task -> thread(task, name);
    }

    /** Returns a factory of threads whose names are the prefix, a hyphen and a number that begins with 1. */
    public static ThreadFactory numbered(String prefix) {
        AtomicInteger count = new AtomicInteger();
        return task -> thread(task, prefix + "-" + count.incrementAndGet());
    }

    private static Thread thread(Runnable task, String name) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Creates an executor that runs its tasks one after the other. The thread starts with the first task and ends after 30
     * idle seconds. If it cannot be created, {@code execute} throws a {@link RejectedExecutionException}.
     *
     * @param threadName the name of the thread
     * @param waiting holds the tasks that wait
     */
    public static ThreadPoolExecutor single(String threadName, BlockingQueue<Runnable> waiting) {
        return new SingleThreadExecutor(named(threadName), waiting);
    }

    /**
     * Waits for the tasks of an executor, which accepts no further ones. After the limit, or when the caller is interrupted,
     * running tasks are interrupted, and those that wait are dropped; the caller stays interrupted.
     *
     * @return the dropped tasks; null if all tasks ended before
     */
    public static @Nullable List<Runnable> close(ExecutorService executor, Duration limit) {
        executor.shutdown();
        try {
            if (executor.awaitTermination(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                return null;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return executor.shutdownNow();
    }

    private static final class SingleThreadExecutor extends ThreadPoolExecutor {

        SingleThreadExecutor(ThreadFactory threads, BlockingQueue<Runnable> waiting) {
            super(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, waiting, threads);
            allowCoreThreadTimeOut(true);
        }

        @Override
        public void execute(Runnable task) {
            try {
                super.execute(task);
            } catch (OutOfMemoryError e) { // thrown by the JDK if the system cannot create a thread
                throw new RejectedExecutionException("No thread can be created", e);
            }
        }
    }
}
