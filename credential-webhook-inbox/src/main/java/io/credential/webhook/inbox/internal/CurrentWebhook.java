package io.credential.webhook.inbox.internal;

import org.jspecify.annotations.Nullable;

/** The stored webhook that each thread is processing. Thread-safe. */
final class CurrentWebhook {

    private final ThreadLocal<@Nullable String> current = new ThreadLocal<>();

    /** Work that may throw anything. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    /** @throws Exception what the work throws */
    void during(String id, Work work) throws Exception {
        current.set(id);
        try {
            work.run();
        } finally {
            current.remove();
        }
    }

    /** Returns whether this thread is processing this webhook; true once. */
    boolean take(String id) {
        if (!id.equals(current.get())) {
            return false;
        }
        current.remove();
        return true;
    }
}
