package io.credential.notification;

import io.credential.storage.CredentialDatabase;

/** The channel of all nodes, on a pooled connection: one statement that commits by itself, within ten seconds. */
final class NotificationChannel {

    static final String NAME = "credential";

    /** Takes a lock of the whole server at its commit, so it is never part of a transaction that does something else. */
    static final String NOTIFY = "SELECT pg_notify('" + NAME + "', ?)";

    private final CredentialDatabase database;

    NotificationChannel(CredentialDatabase database) {
        this.database = database;
    }

    /**
     * Sends a payload.
     *
     * @throws org.springframework.dao.DataAccessException if the database does not answer
     */
    void send(Payload payload) {
        var unused = database.jdbc()
                .sql(NOTIFY)
                .param(payload.toString())
                .query((row, number) -> 1)
                .single();
    }
}
