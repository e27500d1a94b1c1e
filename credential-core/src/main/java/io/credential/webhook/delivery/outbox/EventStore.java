package io.credential.webhook.delivery.outbox;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import io.credential.storage.CredentialDatabase;
import io.credential.webhook.delivery.outbox.StoredEvent.FannedOut;
import io.credential.webhook.delivery.queue.DispatcherTables;
import io.credential.webhook.delivery.queue.Payload;
import io.credential.webhook.delivery.queue.Subscriber;

/**
 * Stores events with a delivery for each endpoint that subscribes to them. Thread-safe.
 *
 * @since 0.1.0
 */
public abstract class EventStore {

    private static final String FIND_BY_KEY = """
            SELECT event_id, event_type, audience, payload FROM {events} WHERE idempotency_key = :idempotencyKey""";

    final CredentialDatabase database;
    final Supplier<Set<String>> fullEndpoints;
    private final String findByKey;

    EventStore(CredentialDatabase database, DispatcherTables tables, Supplier<Set<String>> fullEndpoints) {
        this.database = database;
        this.fullEndpoints = fullEndpoints;
        this.findByKey = tables.in(FIND_BY_KEY);
    }

    /** @param fullEndpoints returns the endpoints for which this node has no room; their deliveries are stored as pending */
    public static EventStore of(
            CredentialDatabase database, DispatcherTables tables, Supplier<Set<String>> fullEndpoints) {
        return switch (database.dialect()) {
            case POSTGRESQL -> new PostgresEventStore(database, tables, fullEndpoints);
            case SQLITE -> new SqliteEventStore(database, tables, fullEndpoints);
        };
    }

    /**
     * Returns whether savepoints are detected; deliveries below one are then not reserved, because it can be rolled back
     * although its transaction commits.
     */
    abstract boolean detectsSavepoints();

    /** Stores all events with their deliveries, or none; the results are in the same order. */
    abstract List<StoredEvent> store(List<NewEvent> events);

    /** Returns the event that was stored under an idempotency key, without its time. */
    Optional<Event> findByKey(String idempotencyKey) {
        return database.jdbc()
                .sql(findByKey)
                .param("idempotencyKey", idempotencyKey)
                .query((row, number) -> new Event(
                        row.getString("event_id"),
                        row.getString("event_type"),
                        row.getString("audience"),
                        idempotencyKey,
                        Payload.stored(row.getBytes("payload")),
                        0))
                .optional();
    }

    /** Reads a delivery together with its endpoint. */
    static FannedOut fannedOut(ResultSet row, boolean reserved) throws SQLException {
        return new FannedOut(
                row.getString("delivery_id"),
                row.getString("endpoint_id"),
                row.getString("audience"),
                Objects.requireNonNull(Subscriber.read(row, "audience")),
                reserved);
    }
}
