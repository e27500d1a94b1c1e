package io.credential.webhook.delivery.queue;

import java.util.List;

import io.credential.webhook.delivery.OperationalEvent;

/**
 * Stores operational events for the endpoints that subscribe to them. Thread-safe.
 *
 * @since 0.1.0
 */
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
