package io.credential.webhook.delivery.history;

import java.util.List;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.CredentialDatabase;
import io.credential.storage.SqlDialect;
import io.credential.webhook.delivery.outbox.EventIdGenerator;
import io.credential.webhook.delivery.queue.DispatcherTables;

/** Removes what deliveries leave behind when they are removed: their attempts, and events that no other refers to. */
final class OrphanRemover {

    /**
     * The range ends where the event's does, so that it does not lead on over rows removed before and not yet vacuumed.
     * A sub-select of one row in the order of the index is what PostgreSQL knows to be cheap: of {@code NOT EXISTS}, or
     * a further condition on {@code event_id}, it fears thousands of rows, and reads the whole table or compiles machine
     * code for them.
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
    final String removeEvents; // not private, so that a test can ask PostgreSQL for its plan

    OrphanRemover(CredentialDatabase database, DispatcherTables tables) {
        this.jdbc = database.jdbc();
        this.removeAttempts = tables.in(REMOVE_ATTEMPTS);
        this.removeEvents = removal(REMOVE_EVENTS, SELECT_EVENTS, database.dialect(), tables);
    }

    /** A statement in which {@code {unreferenced}} says that no delivery of the event {@code e} is there. */
    static String in(String sql, DispatcherTables tables) {
        return tables.in(sql.replace("{unreferenced}", UNREFERENCED));
    }

    /**
     * A statement in which {@code {is_one_of_selected}} limits a removal to a selection. It passes over rows that others are
     * changing, in place of waiting for them.
     */
    static String removal(String sql, String selection, SqlDialect dialect, DispatcherTables tables) {
        String unlessLocked = switch (dialect) {
            case POSTGRESQL -> " FOR UPDATE SKIP LOCKED";
            case SQLITE -> ""; // has one writer at a time
        };
        return in(sql.replace("{is_one_of_selected}", dialect.isOneOf(selection + unlessLocked)), tables);
    }

    void removeAttempts(List<String> deliveryIds) {
        if (!deliveryIds.isEmpty()) {
            jdbc.sql(removeAttempts).param("deliveryIds", deliveryIds).update();
        }
    }

    /** Removes those of the events that no delivery refers to. */
    void removeUnreferenced(List<String> eventIds) {
        if (!eventIds.isEmpty()) {
            jdbc.sql(removeEvents).param("eventIds", eventIds).update();
        }
    }
}
