package io.credential.webhook.inbox.internal;

/** Processes stored webhooks of the application. Thread-safe. */
@FunctionalInterface
public interface InboxHandler {

    /**
     * Processes a webhook, in a transaction that is committed only if this returns.
     *
     * @throws Exception if it cannot be processed now; it is tried again
     */
    void handle(InboxMessage message) throws Exception;
}
