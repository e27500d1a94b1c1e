package io.credential.apikey.internal.totals;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.apikey.ApiKeyTotals;
import io.credential.secret.internal.RandomHex;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SqlDialect;

/**
 * Keeps the numbers of keys in each state as a sum of changes, each of which is written in the transaction of the change of
 * the key. Thread-safe.
 */
public final class JdbcKeyTotals {

    public static final String TABLE = "_credential_api_key_totals";

    private static final int ID_BYTES = 16;

    /** The state of the row that tells that all keys were counted. */
    private static final String COUNTED = "counted";

    /** Past hours are merged into this one. */
    private static final long PAST = 0;

    /** So that a node whose clock is behind does not take a merged hour for the current one. */
    private static final int HOURS_KEPT = 24;

    /** A million keys take seconds. */
    private static final Duration RECOUNT_LIMIT = Duration.ofMinutes(5);

    private static final String INSERT = """
            INSERT INTO _credential_api_key_totals (namespace, id, state, expires_hour, delta)
            VALUES (:namespace, :id, :state, :expiresHour, :delta)""";

    /**
     * Of the keys that expire in the current hour, those that have expired are counted. Not private, so that a test can ask
     * for its plan.
     */
    static final String TOTALS = """
            SELECT c.counted,
                c.active - due.active AS active,
                c.disabled - due.disabled AS disabled,
                c.expired + due.active + due.disabled AS expired,
                c.revoked
            FROM (
                SELECT
                    count(*) FILTER (WHERE state = 'counted') AS counted,
                    coalesce(sum(CAST(delta AS DOUBLE PRECISION)) FILTER (WHERE state = 'active' AND expires_hour >= :hour), 0) AS active,
                    coalesce(sum(CAST(delta AS DOUBLE PRECISION)) FILTER (WHERE state = 'disabled' AND expires_hour >= :hour), 0) AS disabled,
                    coalesce(sum(CAST(delta AS DOUBLE PRECISION)) FILTER (
                        WHERE state IN ('active', 'disabled') AND expires_hour < :hour), 0) AS expired,
                    coalesce(sum(CAST(delta AS DOUBLE PRECISION)) FILTER (WHERE state = 'revoked'), 0) AS revoked
                FROM _credential_api_key_totals
                WHERE namespace = :namespace) c,
            (
                SELECT
                    count(*) FILTER (WHERE disabled_at IS NULL) AS active,
                    count(*) FILTER (WHERE disabled_at IS NOT NULL) AS disabled
                FROM _credential_api_keys
                WHERE namespace = :namespace AND expires_at >= :hourBegin AND expires_at <= :now
                  AND revoked_at IS NULL) due""";

    /** Reads every key, as long as they have not been counted. */
    private static final String SCAN = """
            SELECT
                count(*) FILTER (WHERE revoked_at IS NULL AND disabled_at IS NULL
                    AND (expires_at IS NULL OR expires_at > :now)) AS active,
                count(*) FILTER (WHERE revoked_at IS NULL AND disabled_at IS NOT NULL
                    AND (expires_at IS NULL OR expires_at > :now)) AS disabled,
                count(*) FILTER (WHERE revoked_at IS NULL AND expires_at <= :now) AS expired,
                count(*) FILTER (WHERE revoked_at IS NOT NULL) AS revoked
            FROM _credential_api_keys
            WHERE namespace = :namespace""";

    private static final String COUNT = """
            SELECT
                CASE
                    WHEN revoked_at IS NOT NULL THEN 'revoked'
                    WHEN disabled_at IS NOT NULL THEN 'disabled'
                    ELSE 'active'
                END AS state,
                CASE WHEN revoked_at IS NOT NULL OR expires_at IS NULL THEN :never ELSE expires_at / 3600000 END AS expires_hour,
                count(*) AS delta
            FROM _credential_api_keys
            WHERE namespace = :namespace
            GROUP BY 1, 2""";

    private static final String DELETE = "DELETE FROM _credential_api_key_totals WHERE namespace = :namespace";

    private static final String DELETE_DIVIDED = DELETE + """
             AND ((expires_hour < :kept AND expires_hour <> 0) OR (state, expires_hour) IN (
                SELECT state, expires_hour FROM _credential_api_key_totals
                WHERE namespace = :namespace
                GROUP BY state, expires_hour
                HAVING count(*) > 1))
            RETURNING state, expires_hour, delta""";

    private static final String ONE_SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ";

    /** Comes before the snapshot, and conflicts with itself, but not with changes of rows. */
    private static final String ONE_AT_A_TIME = "LOCK TABLE _credential_api_key_totals IN SHARE UPDATE EXCLUSIVE MODE";

    private final CredentialDatabase database;
    private final JdbcClient jdbc;
    private final RandomHex random;

    public JdbcKeyTotals(CredentialDatabase database, RandomHex random) {
        this.database = database;
        this.jdbc = database.jdbc();
        this.random = random;
    }

    /** Notes that the numbers of keys have changed, with one statement; none if they have not. */
    public void add(String namespace, Map<KeyBucket, Long> changes) {
        List<SqlParameterSource> rows = changes.entrySet().stream()
                .filter(change -> change.getValue() != 0)
                .<SqlParameterSource>map(change -> row(namespace, change.getKey(), change.getValue()))
                .toList();
        if (!rows.isEmpty()) {
            var unused = database.batchUpdate(INSERT, rows);
        }
    }

    /**
     * Returns the numbers of keys.
     *
     * @param now decides which keys have expired, in Unix milliseconds
     */
    public ApiKeyTotals read(String namespace, long now) {
        long hour = now / KeyBucket.HOUR_MILLIS;
        Optional<ApiKeyTotals> counted = statement(TOTALS, namespace)
                .param("now", now)
                .param("hour", hour)
                .param("hourBegin", hour * KeyBucket.HOUR_MILLIS)
                .query((row, index) ->
                        row.getLong("counted") == 0 ? Optional.<ApiKeyTotals>empty() : Optional.of(totals(row)))
                .single();
        return counted.orElseGet(() -> statement(SCAN, namespace)
                .param("now", now)
                .query((row, index) -> totals(row))
                .single());
    }

    /**
     * Counts all keys, and replaces what was noted of those that were counted. A change that is not committed meanwhile
     * stays right, because it is neither counted nor replaced.
     *
     * @throws org.springframework.dao.ConcurrencyFailureException if the changes were merged meanwhile
     */
    void recount(String namespace) {
        var unused = database.inTransaction(RECOUNT_LIMIT, () -> {
            if (database.dialect() == SqlDialect.POSTGRESQL) {
                jdbc.sql(ONE_SNAPSHOT).update();
                jdbc.sql(ONE_AT_A_TIME).update();
            }
            Map<KeyBucket, Long> counts = new HashMap<>();
            counts.put(new KeyBucket(COUNTED, KeyBucket.NEVER), 1L);
            statement(COUNT, namespace).param("never", KeyBucket.NEVER).query(row -> {
                counts.put(bucket(row), row.getLong("delta"));
            });
            statement(DELETE, namespace).update();
            add(namespace, counts);
            return true;
        });
    }

    /** Replaces the changes of each state and hour by their sum, and those of past hours by one. */
    void merge(String namespace, long now) {
        long kept = now / KeyBucket.HOUR_MILLIS - HOURS_KEPT;
        var unused = database.inTransaction(() -> {
            Map<KeyBucket, Long> sums = new HashMap<>();
            statement(DELETE_DIVIDED, namespace).param("kept", kept).query(row -> {
                KeyBucket bucket = bucket(row);
                KeyBucket merged = bucket.expiresHour() < kept ? new KeyBucket(bucket.state(), PAST) : bucket;
                sums.merge(merged, row.getLong("delta"), Long::sum);
            });
            add(namespace, sums);
            return true;
        });
    }

    private JdbcClient.StatementSpec statement(String sql, String namespace) {
        return jdbc.sql(sql).param("namespace", namespace);
    }

    private MapSqlParameterSource row(String namespace, KeyBucket bucket, long delta) {
        return new MapSqlParameterSource()
                .addValue("namespace", namespace)
                .addValue("id", random.next(ID_BYTES))
                .addValue("state", bucket.state())
                .addValue("expiresHour", bucket.expiresHour())
                .addValue("delta", delta);
    }

    private static KeyBucket bucket(ResultSet row) throws SQLException {
        return new KeyBucket(row.getString("state"), row.getLong("expires_hour"));
    }

    /** A writer of the table can leave sums that exceed a {@code long}; also a node of an earlier version, sums below zero. */
    private static ApiKeyTotals totals(ResultSet row) throws SQLException {
        return new ApiKeyTotals(
                total(row.getDouble("active")),
                total(row.getDouble("disabled")),
                total(row.getDouble("expired")),
                total(row.getDouble("revoked")));
    }

    private static long total(double sum) {
        return Math.max(0, Math.round(sum));
    }
}
