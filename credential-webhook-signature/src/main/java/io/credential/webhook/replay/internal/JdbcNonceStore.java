package io.credential.webhook.replay.internal;

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

import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaScripts;
import io.credential.webhook.replay.NonceStore;

/**
 * Remembers nonces in the database, for every node that shares it, by the database's clock. An insert joins an active
 * transaction on the database's DataSource: if processing is rolled back, the nonce is forgotten and the request can be
 * sent again. Without a transaction, an insert commits by itself. Thread-safe.
 *
 * <p>The same table also records the time since which a verifier's nonces have been remembered, so that the store
 * detects when the table was emptied. This time is set to the present when a verifier is first built, when it is built
 * with a longer window, and when the table was emptied. Nodes that share verifiers must give them the same window.
 */
public final class JdbcNonceStore implements NonceStore {

    /** The table of the nonces. */
    public static final SchemaScripts SCHEMA =
            SchemaScripts.of("io/credential/webhook/replay/internal/migration", "_credential_nonces");

    private static final int INSERTS_PER_CLEANING = 100;

    /** More than are inserted between two runs, so that a backlog shrinks. */
    private static final int CLEANING_BATCH = 250;

    /** Nonces are hexadecimal, so none starts with this. */
    private static final String MEMORY_OF = "memory-of:";

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Waits for another transaction that inserts the same nonce, and then sees its outcome. */
    private static final String INSERT = """
            INSERT INTO _credential_nonces (nonce, expires_at)
            SELECT :nonce, :expiresAt WHERE :expiresAt > {now}
            ON CONFLICT (nonce) DO UPDATE SET expires_at = excluded.expires_at
            WHERE _credential_nonces.expires_at <= {now}""";

    private static final String DELETE =
            "DELETE FROM _credential_nonces WHERE nonce = :nonce AND expires_at = :expiresAt";

    private static final String DELETE_EXPIRED = """
            DELETE FROM _credential_nonces
            WHERE expires_at <= (SELECT {now}) AND nonce {is_one_of_expired}""";

    /** The sub-select reads the clock before the index; PostgreSQL would otherwise read it again for each row. */
    private static final String EXPIRED = """
            SELECT nonce FROM _credential_nonces
            WHERE expires_at <= (SELECT {now})
            ORDER BY expires_at
            LIMIT :limit""";

    /** Keeps an earlier start unless the window has become longer. Signatures have whole seconds. */
    private static final String BEGIN_MEMORY = """
            INSERT INTO _credential_nonces (nonce, expires_at, remembered_since, window_millis)
            VALUES (:memory, :never, {now} / 1000 * 1000 + :later, :window)
            ON CONFLICT (nonce) DO UPDATE
            SET window_millis = excluded.window_millis,
                remembered_since = CASE
                    WHEN excluded.window_millis > _credential_nonces.window_millis THEN excluded.remembered_since
                    ELSE _credential_nonces.remembered_since END
            WHERE _credential_nonces.window_millis <> excluded.window_millis""";

    private static final String COUNT = """
            SELECT count(*) FROM
                (SELECT 1 FROM _credential_nonces WHERE expires_at < :never LIMIT :most) AS counted""";

    private static final String SELECT_MEMORY = "SELECT remembered_since FROM _credential_nonces WHERE nonce = :memory";

    private final CredentialDatabase database;
    private final @Nullable InstantSource clock;
    private final String insert;
    private final String deleteExpired;
    private final String beginMemory;
    private final Set<String> begun = ConcurrentHashMap.newKeySet();
    private final AtomicInteger untilCleaning = new AtomicInteger(1);

    /**
     * Creates a store that uses the clock of the database.
     *
     * @param database a database with the tables of Credential
     */
    public JdbcNonceStore(CredentialDatabase database) {
        this(database, database.dialect().now(), null);
    }

    /**
     * Creates a store that uses another clock, for tests.
     *
     * @param database a database with the tables of Credential
     * @param clock replaces the clock of the database
     */
    public JdbcNonceStore(CredentialDatabase database, InstantSource clock) {
        this(database, ":now", clock);
    }

    private JdbcNonceStore(CredentialDatabase database, String now, @Nullable InstantSource clock) {
        this.database = database;
        this.clock = clock;
        this.insert = INSERT.replace("{now}", now);
        // Nodes that clean up concurrently must not wait for each other.
        this.deleteExpired = DELETE_EXPIRED
                .replace("{is_one_of_expired}", database.dialect().isOneUnlockedOf(EXPIRED))
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
        // Not left to auto-commit: a pool may disable it, and would roll the nonce back.
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
     * @throws TransactionException if a new start cannot be committed
     */
    @Override
    public Instant rememberedSince(String verifier, Duration window) {
        if (!begun.contains(verifier)) {
            beginMemory(verifier, window, Duration.ZERO);
            begun.add(verifier);
        }
        return findMemory(verifier).orElseGet(() -> {
            // Emptied while in use: signatures of this second may already have been accepted.
            beginMemory(verifier, window, SECOND);
            return findMemory(verifier).orElse(Instant.MAX);
        });
    }

    /**
     * {@inheritDoc}
     *
     * @throws DataAccessException if the database does not answer
     * @throws TransactionException if the change cannot be committed
     */
    @Override
    public void forget(String nonce, Instant expireAt) {
        database.inTransaction(() -> database.jdbc()
                .sql(DELETE)
                .param("nonce", nonce)
                .param("expiresAt", expireAt.toEpochMilli())
                .update());
    }

    /**
     * Counts the stored nonces, also those that have expired and were not deleted yet.
     *
     * @param most where counting stops
     * @throws DataAccessException if the database does not answer
     */
    public int count(int most) {
        return database.jdbc()
                .sql(COUNT)
                .param("never", Long.MAX_VALUE)
                .param("most", most)
                .query(Integer.class)
                .single();
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

    /** Deletes one batch. If there may be more, the next insert continues. */
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
