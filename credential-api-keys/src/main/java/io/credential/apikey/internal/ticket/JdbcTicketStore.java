package io.credential.apikey.internal.ticket;

import java.time.InstantSource;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import io.credential.seal.internal.Keyring;
import io.credential.seal.internal.RowMac;
import io.credential.seal.internal.RowValues;
import io.credential.seal.internal.UnknownSealKeyException;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Stores tickets as hashes, in rows that only a holder of the keyring can create: a writer of the database cannot invent a
 * ticket for a key, or extend one. Statements join a transaction of the caller. Thread-safe.
 */
public final class JdbcTicketStore {

    /** The logical name: rows stay authentic if the table is renamed. */
    public static final String TABLE = "_credential_api_key_tickets";

    private static final int INSERTS_PER_CLEANING = 100;

    /** More than are inserted between two runs, so that a backlog shrinks. */
    private static final int CLEANING_BATCH = 250;

    private static final String INSERT = """
            INSERT INTO _credential_api_key_tickets (ticket_hash, namespace, key_id, expires_at, row_mac)
            VALUES (:hash, :namespace, :keyId, :expiresAt, :rowMac)""";

    /** Has parameters by position, because anyone can cause it with a text of the right form. */
    private static final String FIND = """
            SELECT expires_at, row_mac FROM _credential_api_key_tickets
            WHERE ticket_hash = ? AND namespace = ? AND key_id = ?""";

    /** Of several transactions that delete the row, the first to commit does; the others wait for it, and delete nothing. */
    private static final String DELETE = """
            DELETE FROM _credential_api_key_tickets
            WHERE ticket_hash = :hash AND row_mac = :rowMac""";

    /** Without an index, because tickets exist for a few minutes only. */
    private static final String DELETE_FOR_KEYS = """
            DELETE FROM _credential_api_key_tickets
            WHERE namespace = :namespace AND key_id IN (:keyIds)""";

    private static final String DELETE_EXPIRED = """
            DELETE FROM _credential_api_key_tickets
            WHERE expires_at <= :now AND ticket_hash {is_one_of_expired}""";

    private static final String EXPIRED = """
            SELECT ticket_hash FROM _credential_api_key_tickets
            WHERE expires_at <= :now
            ORDER BY expires_at
            LIMIT :limit""";

    private final CredentialDatabase database;
    private final RowMac rowMac;
    private final InstantSource clock;
    private final String deleteExpired;
    private final AtomicInteger untilCleaning = new AtomicInteger(1);

    /** @param clock decides which tickets have expired */
    public JdbcTicketStore(CredentialDatabase database, Keyring keyring, InstantSource clock) {
        this.database = database;
        this.rowMac = new RowMac(keyring);
        this.clock = clock;
        // Nodes that clean up concurrently must not wait for each other.
        this.deleteExpired =
                DELETE_EXPIRED.replace("{is_one_of_expired}", database.dialect().isOneUnlockedOf(EXPIRED));
    }

    /** Adds a ticket; from time to time also removes a batch of those that have expired, on whichever node this is. */
    public void insert(TicketText ticket, long expiresAt) {
        database.inTransaction(() -> {
            insertRow(ticket, expiresAt);
            if (untilCleaning.decrementAndGet() == 0) {
                clean();
            }
            return true;
        });
    }

    private void insertRow(TicketText ticket, long expiresAt) {
        String hash = ticket.hash();
        database.jdbc()
                .sql(INSERT)
                .param("hash", hash)
                .param("namespace", ticket.namespace())
                .param("keyId", ticket.keyId())
                .param("expiresAt", expiresAt)
                .param("rowMac", rowMac.compute(values(hash, ticket.namespace(), ticket.keyId(), expiresAt)))
                .update();
    }

    /** Returns the row of a ticket, whether or not it is authentic or has expired. */
    public Optional<StoredTicket> find(TicketText ticket) {
        String hash = ticket.hash();
        return database.read(
                FIND,
                parameters -> {
                    parameters.setString(1, hash);
                    parameters.setString(2, ticket.namespace());
                    parameters.setString(3, ticket.keyId());
                },
                rows -> rows.next()
                        ? Optional.of(new StoredTicket(
                                hash, ticket.namespace(), ticket.keyId(), rows.getLong(1), rows.getString(2)))
                        : Optional.empty());
    }

    /**
     * Returns whether a holder of the keyring wrote this row.
     *
     * @throws UnknownSealKeyException if the keyring lacks the key of its MAC
     */
    public boolean isAuthentic(StoredTicket row) {
        return rowMac.verify(values(row.hash(), row.namespace(), row.keyId(), row.expiresAt()), row.rowMac());
    }

    /** Removes a ticket that was read; returns false if it was removed meanwhile. */
    public boolean remove(StoredTicket read) {
        return database.write(() -> database.jdbc()
                        .sql(DELETE)
                        .param("hash", read.hash())
                        .param("rowMac", read.rowMac())
                        .update()
                == 1);
    }

    /** Removes the tickets of these keys. */
    public void deleteForKeys(String namespace, Collection<String> keyIds) {
        database.jdbc()
                .sql(DELETE_FOR_KEYS)
                .param("namespace", namespace)
                .param("keyIds", keyIds)
                .update();
    }

    /** Removes all tickets that have expired, in batches. */
    public void removeExpired() {
        int removed;
        do {
            removed = database.write(this::removeBatch);
        } while (removed == CLEANING_BATCH);
    }

    /** Runs an action after the commit of the current transaction. */
    public void afterCommit(Runnable action) {
        database.afterCommit(action);
    }

    /** Removes one batch. If there may be more, the next insert continues. */
    private void clean() {
        boolean more = true;
        try {
            more = removeBatch() == CLEANING_BATCH;
        } finally {
            untilCleaning.set(more ? 1 : INSERTS_PER_CLEANING);
        }
    }

    private int removeBatch() {
        return database.jdbc()
                .sql(deleteExpired)
                .param("now", clock.millis())
                .param("limit", CLEANING_BATCH)
                .update();
    }

    /** Order and names are part of the stored format. */
    private static RowValues values(String hash, String namespace, String keyId, long expiresAt) {
        return new RowValues(TABLE)
                .text("ticket_hash", hash)
                .text("namespace", namespace)
                .text("key_id", keyId)
                .number("expires_at", expiresAt);
    }
}
