package io.credential.testing;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Finds threads by the beginning of their names. A thread that has been stopped may live on for a moment: that there is
 * none must be waited for.
 */
public final class LiveThreads {

    private LiveThreads() {}

    /** Returns the threads that are alive at the moment. */
    public static List<Thread> named(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .filter(thread -> thread.getName().startsWith(prefix))
                .toList();
    }

    /** Waits until none is alive. */
    public static void awaitNone(String prefix) {
        Patience.untilAsserted(() -> assertThat(named(prefix)).isEmpty());
    }
}
