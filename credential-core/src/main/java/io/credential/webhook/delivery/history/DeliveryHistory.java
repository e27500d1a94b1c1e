package io.credential.webhook.delivery.history;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

import io.credential.storage.CredentialDatabase;
import io.credential.webhook.delivery.DeadLetters;
import io.credential.webhook.delivery.Deliveries;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.engine.DeliveryEngine;
import io.credential.webhook.delivery.queue.DispatcherTables;

/**
 * Lists deliveries, sends them again and removes old ones: what other packages use of this one. Thread-safe.
 *
 * @since 0.1.0
 */
public final class DeliveryHistory {

    private final DeliveryReader reader;
    private final StoredDeliveries deliveries;
    private final DeadLetters deadLetters;
    private final ExpiredDeliveryRemover expired;

    /** @param longestWait how long to wait for the outcome of a delivery that is sent again */
    public DeliveryHistory(
            CredentialDatabase database,
            DispatcherTables tables,
            DeliveryEngine engine,
            Duration longestWait,
            InstantSource clock) {
        this.reader = new DeliveryReader(database, tables);
        this.deliveries = new StoredDeliveries(database, tables, reader, engine, clock, longestWait);
        this.deadLetters = new StoredDeadLetters(
                reader, new DeadLetterEditor(database, tables), deliveries, engine::lookAgain, clock);
        this.expired = new ExpiredDeliveryRemover(database, tables);
    }

    public Deliveries deliveries() {
        return deliveries;
    }

    public DeadLetters deadLetters() {
        return deadLetters;
    }

    /** The deliveries of one event, in the order of their ids. */
    public List<Delivery> ofEvent(String eventId) {
        return reader.ofEvent(eventId);
    }

    /**
     * @param before removes what was delivered before this time, in unix milliseconds
     * @return how many deliveries were removed
     */
    public int removeDeliveredBefore(long before) {
        return expired.removeDeliveredBefore(before);
    }
}
