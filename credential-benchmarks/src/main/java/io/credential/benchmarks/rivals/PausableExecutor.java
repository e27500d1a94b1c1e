package io.credential.benchmarks.rivals;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A fixed number of threads with a bounded queue, whose tasks can be held back. It is paused at first. */
final class PausableExecutor extends ThreadPoolExecutor {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition resumed = lock.newCondition();
    private boolean paused = true;

    PausableExecutor(int threads, int queued) {
        super(threads, threads, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(queued));
    }

    @Override
    protected void beforeExecute(Thread thread, Runnable task) {
        super.beforeExecute(thread, task);
        lock.lock();
        try {
            while (paused) {
                resumed.await();
            }
        } catch (InterruptedException e) {
            thread.interrupt();
        } finally {
            lock.unlock();
        }
    }

    void pause() {
        set(true);
    }

    void resume() {
        set(false);
    }

    private void set(boolean changed) {
        lock.lock();
        try {
            paused = changed;
            resumed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
