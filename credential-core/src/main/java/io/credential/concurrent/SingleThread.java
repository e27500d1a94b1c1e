package io.credential.concurrent;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Creates executors with a single daemon thread.
 *
 * @since 0.1.0
 */
public final class SingleThread {

    private static final long IDLE_SECONDS = 30;

    private SingleThread() {}

    /**
     * Creates an executor that runs its tasks one after the other. The thread starts with the first task and ends after 30
     * idle seconds. It does not inherit thread-locals of whoever gives the first task, such as a security context.
     *
     * @param threadName the name of the thread
     * @param waiting holds the tasks that wait
     */
    public static ThreadPoolExecutor executor(String threadName, BlockingQueue<Runnable> waiting) {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, waiting, task -> {
            Thread thread = new Thread(null, task, threadName, 0, false);
            thread.setDaemon(true);
            return thread;
        });
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }
}
