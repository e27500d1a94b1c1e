package io.credential.webhook.inbox.internal;

import org.jspecify.annotations.Nullable;

/** The stored webhook that each thread is processing. Thread-safe. */
final class CurrentWebhook {

    private final ThreadLocal<@Nullable String> current = new ThreadLocal<>();

    /**
     * Has a handler process a message.
     *
     * @param id of the event, whatever its type
     * @throws Exception what the handler throws
     */
    void during(String id, InboxHandler handler, InboxMessage message) throws Exception {
        current.set(id);
        try {
            handler.handle(message);
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
