package io.credential.webhook.delivery.internal.history;

import java.util.List;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SqlDialect;
import io.credential.webhook.delivery.internal.outbox.EventIdGenerator;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;

/** Removes the attempts of removed deliveries, and events without other deliveries. */
final class OrphanRemover {

    /**
     * The range ends with the ids of the event, so that it does not continue over rows that were removed and not yet
     * vacuumed. PostgreSQL knows that a sub-select of one row in the order of the index is cheap. For {@code NOT EXISTS}, or
     * with a condition on {@code event_id}, it expects thousands of rows, and reads the whole table or compiles the query.
     */
    private static final String UNREFERENCED = """
            (SELECT 1 FROM {deliveries} d
             WHERE d.delivery_id >= substr(e.event_id, 1, %1$d)
               AND d.delivery_id < substr(e.event_id, 1, %1$d) || 'g'
             ORDER BY d.delivery_id
             LIMIT 1) IS NULL""".formatted(EventIdGenerator.PREFIX_DIGITS);

    private static final String REMOVE_ATTEMPTS = "DELETE FROM {attempts} WHERE delivery_id IN (:deliveryIds)";

    private static final String REMOVE_EVENTS = """
            DELETE FROM {events}
            WHERE event_id IN (:eventIds) AND event_id {is_one_of_selected}""";

    private static final String SELECT_EVENTS =
            "SELECT e.event_id FROM {events} e WHERE e.event_id IN (:eventIds) AND {unreferenced}";

    private final JdbcClient jdbc;
    private final String removeAttempts;
    final String removeEvents; // not private, so that a test can run EXPLAIN

    OrphanRemover(CredentialDatabase database, DispatcherTables tables) {
        this.jdbc = database.jdbc();
        this.removeAttempts = tables.in(REMOVE_ATTEMPTS);
        this.removeEvents = removal(REMOVE_EVENTS, SELECT_EVENTS, database.dialect(), tables);
    }

    /**
     * Replaces {@code {unreferenced}} with the condition that the event {@code e} has no delivery, and the other
     * placeholders with the names of the tables.
     */
    static String in(String sql, DispatcherTables tables) {
        return tables.in(sql.replace("{unreferenced}", UNREFERENCED));
    }

    /**
     * The same for a removal, in which {@code {is_one_of_selected}} stands for a selection. The removal skips rows that
     * others are changing.
     */
    static String removal(String sql, String selection, SqlDialect dialect, DispatcherTables tables) {
        return in(sql.replace("{is_one_of_selected}", dialect.isOneUnlockedOf(selection)), tables);
    }

    void removeAttempts(List<String> deliveryIds) {
        if (!deliveryIds.isEmpty()) {
            jdbc.sql(removeAttempts).param("deliveryIds", deliveryIds).update();
        }
    }

    /** Removes those of the events that have no delivery. */
    void removeUnreferenced(List<String> eventIds) {
        if (!eventIds.isEmpty()) {
            jdbc.sql(removeEvents).param("eventIds", eventIds).update();
        }
    }
}
