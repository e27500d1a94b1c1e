package io.credential.webhook.delivery.internal.queue;

import org.springframework.dao.DataAccessException;

import io.credential.storage.internal.CredentialDatabase;

/** Reads payloads that are too large to be read with their claims. Thread-safe. */
public final class PayloadReader {

    private static final String FIND = "SELECT payload FROM {events} WHERE event_id = :eventId AND payload IS NOT NULL";

    private final CredentialDatabase database;
    private final String find;

    public PayloadReader(CredentialDatabase database, DispatcherTables tables) {
        this.database = database;
        this.find = tables.in(FIND);
    }

    /**
     * Returns the payload of a stored event.
     *
     * @throws DataAccessException if the database does not answer, or the event was removed or erased
     */
    public Payload ofEvent(String eventId) {
        return database.jdbc()
                .sql(find)
                .param("eventId", eventId)
                .query((row, number) -> Payload.stored(row.getBytes(1)))
                .single();
    }
}
