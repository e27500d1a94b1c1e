package io.credential.webhook.delivery.internal.queue;

import java.util.List;

import io.credential.webhook.delivery.internal.OperationalEvent;

/** Stores operational events for the endpoints that subscribe to them. Thread-safe. */
@FunctionalInterface
public interface OperationalEvents {

    /** Stores nothing. */
    OperationalEvents NONE = events -> {};

    /**
     * Stores events in the transaction of the caller or a new one. Of events with the same occasion, one is stored. Events that
     * no endpoint subscribes to are not stored.
     */
    void raise(List<OperationalEvent> events);
}
