package io.credential.webhook.http;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates daemon threads whose names show their purpose. */
final class NamedThreads implements ThreadFactory {

    private final String prefix;
    private final AtomicInteger count = new AtomicInteger();

    NamedThreads(String prefix) {
        this.prefix = prefix;
    }

    @Override
    public Thread newThread(Runnable work) {
        // Without inheritable thread-locals of the first caller, such as a security context.
        Thread thread = new Thread(null, work, prefix + "-" + count.incrementAndGet(), 0, false);
        thread.setDaemon(true);
        return thread;
    }
}
