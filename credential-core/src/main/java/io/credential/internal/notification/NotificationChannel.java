package io.credential.internal.notification;

import io.credential.storage.internal.CredentialDatabase;

/**
 * The channel of the nodes that share a schema, on a pooled connection: one statement that commits by itself, within
 * ten seconds.
 */
final class NotificationChannel {

    /** Takes a lock of the whole server at its commit, so it is never part of a transaction that does something else. */
    static final String NOTIFY = "SELECT pg_notify(?, ?)";

    private static final String PREFIX = "credential_";

    private final CredentialDatabase database;
    private final String name;

    /** Channels belong to a whole database, in which each application may have its own schema. */
    NotificationChannel(CredentialDatabase database) {
        this.database = database;
        this.name = PREFIX + Integer.toHexString(database.schema().orElse("").hashCode());
    }

    /** Returns an identifier that needs no quotes. */
    String name() {
        return name;
    }

    /**
     * Sends a payload.
     *
     * @throws org.springframework.dao.DataAccessException if the database does not answer
     */
    void send(Payload payload) {
        var unused = database.jdbc()
                .sql(NOTIFY)
                .param(name)
                .param(payload.toString())
                .query((row, number) -> 1)
                .single();
    }
}
