package io.credential.webhook.delivery.internal.outbox;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.internal.outbox.StoredEvent.FannedOut;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.delivery.internal.queue.Subscriber;

/** Stores events one after the other in one transaction; each statement is a call within the process. */
final class SqliteEventStore extends EventStore {

    /**
     * Uses the primary key of the subscriptions. An endpoint that subscribes to the event type in several ways appears
     * once. The id of a delivery is a prefix followed by a number of eight digits.
     */
    private static final String FIND_SUBSCRIBERS = """
            SELECT :prefix || CAST(10000000 + row_number() OVER (ORDER BY e.endpoint_id) AS TEXT) AS delivery_id,
                e.endpoint_id, e.audience, %s
            FROM {endpoints} e
            WHERE e.endpoint_id IN (
                SELECT s.endpoint_id FROM {subscriptions} s WHERE s.event_type IN (:subscriptions))
              AND (:audience IS NULL OR e.audience = :audience)
            ORDER BY e.endpoint_id""".formatted(Subscriber.COLUMNS);

    private final String findSubscribers;

    SqliteEventStore(CredentialDatabase database, DispatcherTables tables, Supplier<Set<String>> fullEndpoints) {
        super(database, tables, fullEndpoints);
        this.findSubscribers = tables.in(FIND_SUBSCRIBERS);
    }

    @Override
    boolean detectsSavepoints() {
        return false;
    }

    @Override
    StoredEvent store(NewEvent event) {
        return database.inTransaction(() -> insertAll(event));
    }

    @Override
    List<StoredEvent> storeAll(List<NewEvent> events) {
        return database.inTransaction(() -> events.stream().map(this::insertAll).toList());
    }

    private StoredEvent insertAll(NewEvent newEvent) {
        Event event = newEvent.event();
        if (!insert(event)) {
            return StoredEvent.NOT_STORED;
        }
        Set<String> full = fullEndpoints.get();
        List<FannedOut> deliveries = database.jdbc()
                .sql(findSubscribers)
                .param("prefix", EventIdGenerator.deliveryPrefix(event.eventId()))
                .param("subscriptions", Subscriptions.to(event.eventType()))
                .param("audience", event.audience())
                .query((row, number) -> fannedOut(
                        row,
                        newEvent.claim() != null
                                && !row.getBoolean("paused")
                                && Subscriber.rateLimit(row) == null
                                && !full.contains(row.getString("endpoint_id"))))
                .list();
        database.batchUpdate(
                insertDelivery,
                deliveries.stream()
                        .map(delivery -> row(event, newEvent.claim(), delivery))
                        .toList());
        return new StoredEvent(true, deliveries);
    }
}
