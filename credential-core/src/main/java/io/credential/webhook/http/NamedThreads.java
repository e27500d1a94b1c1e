package io.credential.webhook.http;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Daemon threads that say in their names whose they are. */
final class NamedThreads implements ThreadFactory {

    private final String prefix;

    private final AtomicInteger count = new AtomicInteger();

    NamedThreads(String prefix) {
        this.prefix = prefix;
    }

    @Override
    public Thread newThread(Runnable work) {
        Thread thread = new Thread(work, prefix + "-" + count.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
