package io.credential.ratelimit.internal;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

import io.credential.ratelimit.BucketStore;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaScripts;
import io.credential.storage.internal.SqlDialect;

/**
 * Stores buckets in PostgreSQL, for every node that shares it. Never takes part in a transaction of the caller.
 * PostgreSQL has ten seconds to answer. After a crash of the server, the buckets are full again. Thread-safe.
 */
public final class JdbcBucketStore implements BucketStore {

    /** The table of the buckets. */
    public static final SchemaScripts SCHEMA =
            SchemaScripts.of("io/credential/ratelimit/internal/migration", "_credential_rate_limits");

    private static final int BATCH = 1_000;

    /** A state that is too long to be one is not read: it reads as empty bytes, which no limiter writes. */
    private static final String SELECT = """
            SELECT CASE WHEN octet_length(state) <= 64 THEN state ELSE ''::bytea END
            FROM _credential_rate_limits WHERE bucket = :bucket""";

    private static final String INSERT = """
            INSERT INTO _credential_rate_limits (bucket, state, expires_at)
            VALUES (:bucket, :state, :expiresAt)
            ON CONFLICT (bucket) DO NOTHING""";

    private static final String UPDATE = """
            UPDATE _credential_rate_limits SET state = :state, expires_at = :expiresAt
            WHERE bucket = :bucket AND (state = :expected OR octet_length(state) > 64)""";

    private static final String DELETE_EXPIRED = """
            DELETE FROM _credential_rate_limits
            WHERE expires_at <= :now AND bucket = ANY (ARRAY(
                SELECT bucket FROM _credential_rate_limits
                WHERE expires_at <= :now
                LIMIT :limit
                FOR UPDATE SKIP LOCKED))""";

    private final CredentialDatabase database;
    private final InstantSource clock;

    /**
     * @param database a PostgreSQL database with the tables of Credential
     * @param clock provides the time, to calculate when buckets expire
     * @throws IllegalArgumentException if the database is not PostgreSQL
     */
    public JdbcBucketStore(CredentialDatabase database, InstantSource clock) {
        if (database.dialect() != SqlDialect.POSTGRESQL) {
            throw new IllegalArgumentException(
                    "Rate limits are stored in PostgreSQL only; on SQLite there is one node, which counts in memory");
        }
        this.database = database;
        this.clock = clock;
    }

    @Override
    public Optional<byte[]> find(String bucket) {
        return database.outsideTransaction(() -> database.jdbc()
                .sql(SELECT)
                .param("bucket", bucket)
                .query((row, index) -> row.getBytes(1))
                .optional());
    }

    @Override
    public boolean replace(String bucket, byte @Nullable [] expected, byte[] state, Duration timeToLive) {
        long expiresAt = clock.instant().plus(timeToLive).toEpochMilli();
        return database.outsideTransaction(() -> {
            StatementSpec statement = database.jdbc()
                    .sql(expected == null ? INSERT : UPDATE)
                    .param("bucket", bucket)
                    .param("state", state)
                    .param("expiresAt", expiresAt);
            if (expected != null) {
                statement = statement.param("expected", expected);
            }
            return statement.update() == 1;
        });
    }

    /**
     * Removes buckets that are full again.
     *
     * @return how many were removed
     * @throws org.springframework.dao.DataAccessException if the database does not answer
     */
    public int purgeExpired() {
        int removed = 0;
        int batch;
        do {
            batch = database.outsideTransaction(() -> database.jdbc()
                    .sql(DELETE_EXPIRED)
                    .param("now", clock.millis())
                    .param("limit", BATCH)
                    .update());
            removed += batch;
        } while (batch == BATCH);
        return removed;
    }
}
