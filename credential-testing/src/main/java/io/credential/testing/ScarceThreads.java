package io.credential.testing;

import java.util.concurrent.ThreadFactory;

/** Creates no thread until {@link #provide()}, like a process that has reached its limit of threads. */
public final class ScarceThreads implements ThreadFactory {

    private volatile boolean available;

    public void provide() {
        available = true;
    }

    @Override
    public Thread newThread(Runnable task) {
        if (!available) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        return new Thread(task);
    }
}
