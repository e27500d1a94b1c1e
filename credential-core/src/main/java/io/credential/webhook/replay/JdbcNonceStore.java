package io.credential.webhook.replay;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.storage.CredentialDatabase;
import io.credential.storage.SqlDialect;

/**
 * Remembers nonces in the database, for every node that shares it. An insert joins a transaction that is active on the
 * database's DataSource: when processing is rolled back, the nonce is forgotten and the delivery may come again. Without
 * one it commits on its own. Thread-safe.
 *
 * @since 0.1.0
 */
public final class JdbcNonceStore implements NonceStore {

    private static final int INSERTS_PER_CLEANING = 100;

    /** More than can have come since the last cleaning, so that a backlog melts away. */
    private static final int CLEANING_BATCH = 250;

    /** Waits for another transaction that is inserting the same nonce, and then sees what became of it. */
    private static final String INSERT = """
            INSERT INTO _credential_nonces (nonce, expires_at)
            VALUES (:nonce, :expiresAt)
            ON CONFLICT (nonce) DO UPDATE SET expires_at = excluded.expires_at
            WHERE _credential_nonces.expires_at <= :now""";

    private final CredentialDatabase database;
    private final InstantSource clock;
    private final String deleteExpired;
    private final AtomicInteger untilCleaning = new AtomicInteger(1);

    /**
     * @param database with its tables in place
     * @param clock tells what has expired
     */
    public JdbcNonceStore(CredentialDatabase database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
        // Nodes that clean at once must not wait for each other; SQLite has one writer at a time anyway.
        this.deleteExpired =
                """
                DELETE FROM _credential_nonces
                WHERE expires_at <= :now
                  AND nonce IN (
                    SELECT nonce FROM _credential_nonces WHERE expires_at <= :now ORDER BY expires_at LIMIT :limit%s)""".formatted(database.dialect() == SqlDialect.POSTGRESQL ? " FOR UPDATE SKIP LOCKED" : "");
    }

    /**
     * {@inheritDoc}
     *
     * @throws DataAccessException if the database does not answer
     * @throws TransactionException if the nonce cannot be committed
     */
    @Override
    public boolean checkAndInsert(String nonce, Instant expireAt) {
        long now = clock.millis();
        long expiresAt = expireAt.toEpochMilli();
        if (expiresAt <= now) {
            return false;
        }
        // Not left to auto-commit: a pool may have that switched off, and would roll the nonce back.
        return database.inTransaction(() -> {
            boolean inserted = insert(nonce, expiresAt, now);
            if (inserted && untilCleaning.decrementAndGet() == 0) {
                clean(now);
            }
            return inserted;
        });
    }

    private boolean insert(String nonce, long expiresAt, long now) {
        return database.jdbc()
                        .sql(INSERT)
                        .param("nonce", nonce)
                        .param("expiresAt", expiresAt)
                        .param("now", now)
                        .update()
                == 1;
    }

    /** One batch; the next insert goes on where there were more. */
    private void clean(long now) {
        boolean more = true;
        try {
            more = database.jdbc()
                            .sql(deleteExpired)
                            .param("now", now)
                            .param("limit", CLEANING_BATCH)
                            .update()
                    == CLEANING_BATCH;
        } finally {
            untilCleaning.set(more ? 1 : INSERTS_PER_CLEANING);
        }
    }
}
