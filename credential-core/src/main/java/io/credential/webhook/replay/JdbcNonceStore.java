package io.credential.webhook.replay;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.transaction.TransactionException;

import io.credential.storage.CredentialDatabase;
import io.credential.storage.SqlDialect;

/**
 * Remembers nonces in the database, for every node that shares it, by the database's clock. An insert joins a
 * transaction that is active on the database's DataSource: when processing is rolled back, the nonce is forgotten and
 * the delivery may come again. Without one it commits on its own. Thread-safe.
 *
 * <p>Since when a verifier's nonces are remembered is kept in the same table, so that emptying it is noticed. That time
 * moves to the present when a verifier is first built, when it is built with a longer window, and when the table was
 * emptied. Nodes that share verifiers must give them the same window.
 *
 * @since 0.1.0
 */
public final class JdbcNonceStore implements NonceStore {

    private static final int INSERTS_PER_CLEANING = 100;

    /** More than can arrive between two runs, so that a backlog shrinks. */
    private static final int CLEANING_BATCH = 250;

    /** Nonces are hexadecimal, so none begins like this. */
    private static final String MEMORY_OF = "memory-of:";

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Waits for another transaction that is inserting the same nonce, and then sees its outcome. */
    private static final String INSERT = """
            INSERT INTO _credential_nonces (nonce, expires_at)
            SELECT :nonce, :expiresAt WHERE :expiresAt > {now}
            ON CONFLICT (nonce) DO UPDATE SET expires_at = excluded.expires_at
            WHERE _credential_nonces.expires_at <= {now}""";

    private static final String DELETE_EXPIRED = """
            DELETE FROM _credential_nonces
            WHERE expires_at <= (SELECT {now}) AND nonce {is_one_of_expired}""";

    /** A time that is selected is known before the index is read; PostgreSQL would read the clock again for each row of it. */
    private static final String EXPIRED = """
            SELECT nonce FROM _credential_nonces
            WHERE expires_at <= (SELECT {now})
            ORDER BY expires_at
            LIMIT :limit""";

    /** Keeps an older beginning unless the window has become longer. Signatures have whole seconds. */
    private static final String BEGIN_MEMORY = """
            INSERT INTO _credential_nonces (nonce, expires_at, remembered_since, window_millis)
            VALUES (:memory, :never, {now} / 1000 * 1000 + :later, :window)
            ON CONFLICT (nonce) DO UPDATE
            SET window_millis = excluded.window_millis,
                remembered_since = CASE
                    WHEN excluded.window_millis > _credential_nonces.window_millis THEN excluded.remembered_since
                    ELSE _credential_nonces.remembered_since END
            WHERE _credential_nonces.window_millis <> excluded.window_millis""";

    private static final String SELECT_MEMORY = "SELECT remembered_since FROM _credential_nonces WHERE nonce = :memory";

    private final CredentialDatabase database;
    private final @Nullable InstantSource clock;
    private final String insert;
    private final String deleteExpired;
    private final String beginMemory;
    private final Set<String> begun = ConcurrentHashMap.newKeySet();
    private final AtomicInteger untilCleaning = new AtomicInteger(1);

    /**
     * A store on the clock of the database.
     *
     * @param database with its tables in place
     */
    public JdbcNonceStore(CredentialDatabase database) {
        this(database, database.dialect().now(), null);
    }

    /**
     * A store on another clock, for tests.
     *
     * @param database with its tables in place
     * @param clock takes the place of the database's clock
     */
    public JdbcNonceStore(CredentialDatabase database, InstantSource clock) {
        this(database, ":now", clock);
    }

    private JdbcNonceStore(CredentialDatabase database, String now, @Nullable InstantSource clock) {
        this.database = database;
        this.clock = clock;
        // Nodes that clean concurrently must not wait for each other; SQLite has only one writer.
        String skipLocked = database.dialect() == SqlDialect.POSTGRESQL ? " FOR UPDATE SKIP LOCKED" : "";
        this.insert = INSERT.replace("{now}", now);
        this.deleteExpired = DELETE_EXPIRED
                .replace("{is_one_of_expired}", database.dialect().isOneOf(EXPIRED + skipLocked))
                .replace("{now}", now);
        this.beginMemory = BEGIN_MEMORY.replace("{now}", now);
    }

    /**
     * {@inheritDoc}
     *
     * @throws DataAccessException if the database does not answer
     * @throws TransactionException if the nonce cannot be committed
     */
    @Override
    public boolean checkAndInsert(String nonce, Instant expireAt) {
        // Not left to auto-commit: a pool may have that switched off, and would roll the nonce back.
        return database.inTransaction(() -> {
            boolean inserted = statement(insert)
                            .param("nonce", nonce)
                            .param("expiresAt", expireAt.toEpochMilli())
                            .update()
                    == 1;
            if (inserted && untilCleaning.decrementAndGet() == 0) {
                clean();
            }
            return inserted;
        });
    }

    /**
     * {@inheritDoc}
     *
     * @throws DataAccessException if the database does not answer
     * @throws TransactionException if a new beginning cannot be committed
     */
    @Override
    public Instant rememberedSince(String verifier, Duration window) {
        if (!begun.contains(verifier)) {
            beginMemory(verifier, window, Duration.ZERO);
            begun.add(verifier);
        }
        return findMemory(verifier).orElseGet(() -> {
            // Emptied while in use: anything signed in this second may have been accepted in it.
            beginMemory(verifier, window, SECOND);
            return findMemory(verifier).orElse(Instant.MAX);
        });
    }

    private Optional<Instant> findMemory(String verifier) {
        return statement(SELECT_MEMORY)
                .param("memory", MEMORY_OF + verifier)
                .query(Long.class)
                .optional()
                .map(Instant::ofEpochMilli);
    }

    private void beginMemory(String verifier, Duration window, Duration later) {
        database.inTransaction(() -> statement(beginMemory)
                .param("memory", MEMORY_OF + verifier)
                .param("never", Long.MAX_VALUE)
                .param("later", later.toMillis())
                .param("window", window.toMillis())
                .update());
    }

    /** Deletes one batch; the next insert continues if there are more. */
    private void clean() {
        boolean more = true;
        try {
            more = statement(deleteExpired).param("limit", CLEANING_BATCH).update() == CLEANING_BATCH;
        } finally {
            untilCleaning.set(more ? 1 : INSERTS_PER_CLEANING);
        }
    }

    private StatementSpec statement(String sql) {
        StatementSpec statement = database.jdbc().sql(sql);
        return clock == null ? statement : statement.param("now", clock.millis());
    }
}
