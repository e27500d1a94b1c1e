package io.credential.testing;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/**
 * Runs each task of a test on its own thread, so that tasks may wait for each other. In the common pool, they share as
 * few as one thread. {@link #close()} interrupts running tasks and waits for them: no task outlives its test.
 */
public final class TestThreads implements Executor, AutoCloseable {

    private final Queue<Thread> started = new ConcurrentLinkedQueue<>();

    @Override
    public void execute(Runnable task) {
        Thread thread = new Thread(task, "test-task");
        started.add(thread);
        thread.start();
    }

    @Override
    public void close() {
        started.forEach(Thread::interrupt);
        started.forEach(Patience::join);
    }
}
