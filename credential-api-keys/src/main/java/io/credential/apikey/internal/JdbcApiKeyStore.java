package io.credential.apikey.internal;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.apikey.internal.ApiKeyRow.Cells;
import io.credential.apikey.internal.ApiKeyRow.Identity;
import io.credential.apikey.internal.ApiKeyRow.Secrets;
import io.credential.apikey.internal.ApiKeyRow.State;
import io.credential.apikey.internal.KeyLedger.NewKey;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Stores the keys of one namespace, and updates totals and search terms with each change. Updates compare the MAC that
 * was read, and return whether it still matched.
 */
final class JdbcApiKeyStore {

    private static final String VALUES = """
            prefix, owner_id_hash, owner_id, scopes, metadata, details, secret_hash, secondary_secret_hash, \
            secondary_expires_at, created_at, expires_at, disabled_at, revoked_at, last_used_at, row_mac, version""";

    static final String COLUMNS = VALUES + ", namespace, id";

    /** Runs on every verify, and so has parameters by position. */
    private static final String FIND = "SELECT " + VALUES + " FROM _credential_api_keys WHERE namespace = ? AND id = ?";

    private static final String INSERT = """
            INSERT INTO _credential_api_keys (%s)
            VALUES (:prefix, :ownerIdHash, :ownerId, :scopes, :metadata, :details, :secretHash, :secondarySecretHash, \
            :secondaryExpiresAt, :createdAt, :expiresAt, :disabledAt, :revokedAt, :lastUsedAt, :rowMac, :version, :namespace, :id)
            ON CONFLICT (namespace, id) DO NOTHING""".formatted(COLUMNS);

    private static final String REPLACE = """
            UPDATE _credential_api_keys
            SET prefix = :prefix, owner_id_hash = :ownerIdHash, owner_id = :ownerId, scopes = :scopes, metadata = :metadata,
                details = :details, secret_hash = :secretHash, secondary_secret_hash = :secondarySecretHash,
                secondary_expires_at = :secondaryExpiresAt, expires_at = :expiresAt,
                disabled_at = :disabledAt, revoked_at = :revokedAt, version = :version, row_mac = :rowMac
            WHERE namespace = :namespace AND id = :id
              AND row_mac IS NOT DISTINCT FROM CAST(:readMac AS TEXT)
              AND revoked_at IS NOT DISTINCT FROM CAST(:readRevokedAt AS BIGINT)""";

    /** Changes nothing, but keeps others from changing the row until the transaction ends. */
    private static final String LOCK = """
            UPDATE _credential_api_keys SET revoked_at = revoked_at
            WHERE namespace = :namespace AND id = :id""";

    private static final String REVOKE_UNAUTHENTICATED = """
            UPDATE _credential_api_keys SET revoked_at = :revokedAt
            WHERE namespace = :namespace AND id = :id""";

    private static final String FIND_ALL = """
            SELECT %s FROM _credential_api_keys
            WHERE namespace = :namespace AND id IN (:ids)""".formatted(COLUMNS);

    /** The namespaces, of which there are few, are looked up one after the other, so that the primary key is used. */
    private static final String FIND_BY_IDS = """
            WITH RECURSIVE spaces(space) AS (
                SELECT min(namespace) FROM _credential_api_keys
                UNION ALL
                SELECT (SELECT min(namespace) FROM _credential_api_keys WHERE namespace > space)
                FROM spaces WHERE space IS NOT NULL)
            SELECT %s FROM _credential_api_keys
            WHERE namespace IN (SELECT space FROM spaces) AND id IN (:ids)""".formatted(COLUMNS);

    private static final String REMOVE = """
            DELETE FROM _credential_api_keys
            WHERE namespace = :namespace AND id IN (:ids)
            RETURNING id, expires_at, disabled_at, revoked_at, version""";

    private static final String PURGE = """
            DELETE FROM _credential_api_keys
            WHERE namespace = :namespace
              AND (revoked_at < :before OR expires_at < :before)
              AND id {is_one_of_purged}
            RETURNING id, expires_at, disabled_at, revoked_at, version""";

    private static final String PURGED = """
            SELECT id FROM _credential_api_keys
            WHERE namespace = :namespace AND (revoked_at < :before OR expires_at < :before)
            ORDER BY id
            LIMIT :limit""";

    static final RowMapper<ApiKeyRow> ROW = (row, index) -> row(row.getString(17), row.getString(18), row);

    private final CredentialDatabase database;
    private final JdbcClient jdbc;
    private final String namespace;
    private final KeyRowCache cache;
    private final KeyLedger ledger;
    private final JdbcKeyPages pages;
    final String purge; // not private, so that a test can ask PostgreSQL for its plan

    /**
     * @param cache invalidated with each change; nothing is read from it
     * @param ledger is told of each change, in its transaction
     */
    JdbcApiKeyStore(CredentialDatabase database, String namespace, KeyRowCache cache, KeyLedger ledger) {
        this.database = database;
        this.jdbc = database.jdbc();
        this.namespace = namespace;
        this.cache = cache;
        this.ledger = ledger;
        this.pages = new JdbcKeyPages(database, namespace);
        this.purge = PURGE.replace("{is_one_of_purged}", database.dialect().isOneOf(PURGED));
    }

    String namespace() {
        return namespace;
    }

    KeyLedger ledger() {
        return ledger;
    }

    JdbcKeyPages pages() {
        return pages;
    }

    Optional<ApiKeyRow> find(String id) {
        return database.read(
                FIND,
                parameters -> {
                    parameters.setString(1, namespace);
                    parameters.setString(2, id);
                },
                rows -> rows.next() ? Optional.of(row(namespace, id, rows)) : Optional.empty());
    }

    /** Whether the row was added; false when its id is taken. */
    boolean insert(NewKey key) {
        if (jdbc.sql(INSERT).paramSource(parameters(key.row())).update() == 0) {
            return false;
        }
        ledger.added(List.of(key));
        return true;
    }

    /**
     * Adds those rows whose ids are not taken. Reads only rows that the driver does not report as added: in a new
     * table, of which PostgreSQL has no statistics yet, it would read all rows for each batch.
     *
     * @return the rows that now have these ids
     */
    Map<String, ApiKeyRow> insertAll(List<NewKey> keys) {
        int[] counts = database.batchUpdate(
                INSERT,
                keys.stream()
                        .<SqlParameterSource>map(key -> parameters(key.row()))
                        .toList());
        Map<String, ApiKeyRow> stored = new HashMap<>();
        List<NewKey> added = new ArrayList<>();
        Map<String, NewKey> others = new HashMap<>();
        for (int i = 0; i < counts.length; i++) {
            NewKey key = keys.get(i);
            if (counts[i] == 1) {
                stored.put(key.row().id(), key.row());
                added.add(key);
            } else {
                others.put(key.row().id(), key);
            }
        }
        for (ApiKeyRow row : others.isEmpty() ? List.<ApiKeyRow>of() : findAll(others.keySet())) {
            stored.put(row.id(), row);
            NewKey key = Objects.requireNonNull(others.get(row.id()));
            // A MAC depends on random nonces: the row that has it is the one that was just written.
            if (key.row().equalsButLastUse(row)) {
                added.add(key);
            }
        }
        ledger.added(added);
        return stored;
    }

    /** Returns the rows with these ids. */
    List<ApiKeyRow> findAll(Collection<String> ids) {
        return statement(FIND_ALL).param("ids", ids).query(ROW).list();
    }

    /** Reads a row that nobody else can change before the transaction ends. */
    Optional<ApiKeyRow> findLocked(String id) {
        int locked = statement(LOCK).param("id", id).update();
        return locked == 0 ? Optional.empty() : find(id);
    }

    /**
     * Writes all of a row but its last use, if it still has the MAC that it was read with. The revocation is compared
     * separately, because revoking a row that cannot be trusted does not change its MAC.
     */
    boolean replace(ApiKeyRow row, ApiKeyRow read) {
        invalidate(row.id());
        MapSqlParameterSource parameters = parameters(row)
                .addValue("readMac", read.rowMac())
                .addValue("readRevokedAt", read.state().revokedAt());
        if (jdbc.sql(REPLACE).paramSource(parameters).update() == 0) {
            return false;
        }
        ledger.moved(read.state(), row.state());
        return true;
    }

    /** Marks a row that was read under a lock as revoked, and does not update its MAC. */
    void revokeUnauthenticated(ApiKeyRow read, long revokedAt) {
        invalidate(read.id());
        statement(REVOKE_UNAUTHENTICATED)
                .param("id", read.id())
                .param("revokedAt", revokedAt)
                .update();
        ledger.moved(read.state(), read.withRevokedAt(revokedAt).state());
    }

    /** Returns the rows with these ids in every namespace. */
    static List<ApiKeyRow> find(CredentialDatabase database, Collection<String> ids) {
        return database.jdbc().sql(FIND_BY_IDS).param("ids", ids).query(ROW).list();
    }

    /** Removes rows, whatever their state; returns the ids of those that existed. */
    List<String> remove(Collection<String> ids) {
        return removed(statement(REMOVE).param("ids", ids));
    }

    /** Removes a batch of rows that were revoked or expired before a time; returns their ids. */
    List<String> purge(long before, int limit) {
        return removed(statement(purge).param("before", before).param("limit", limit));
    }

    /**
     * Runs a statement that deletes rows, and removes them from totals and search terms.
     *
     * @param delete returns {@code id, expires_at, disabled_at, revoked_at, version} of each row
     * @return the ids
     */
    private List<String> removed(JdbcClient.StatementSpec delete) {
        Map<String, State> rows = new LinkedHashMap<>();
        delete.query(row -> {
            rows.put(row.getString(1), new State(millis(row, 2), millis(row, 3), millis(row, 4), row.getLong(5)));
        });
        ledger.removed(rows);
        rows.keySet().forEach(this::invalidate);
        return List.copyOf(rows.keySet());
    }

    /** Removes a key from the caches of all nodes after the transaction. */
    void invalidate(String id) {
        cache.invalidate(namespace, id);
    }

    /** A statement about the keys of this namespace. */
    private JdbcClient.StatementSpec statement(String sql) {
        return jdbc.sql(sql).param("namespace", namespace);
    }

    private static MapSqlParameterSource parameters(ApiKeyRow row) {
        return new MapSqlParameterSource()
                .addValue("namespace", row.namespace())
                .addValue("id", row.id())
                .addValue("prefix", row.identity().prefix())
                .addValue("ownerIdHash", row.cells().ownerIdHash())
                .addValue("ownerId", row.cells().ownerId())
                .addValue("scopes", row.cells().scopes())
                .addValue("metadata", row.cells().metadata())
                .addValue("details", row.cells().details())
                .addValue("secretHash", row.secrets().primary())
                .addValue("secondarySecretHash", row.secrets().secondary())
                .addValue("secondaryExpiresAt", row.secrets().secondaryExpiresAt())
                .addValue("createdAt", row.identity().createdAt())
                .addValue("expiresAt", row.state().expiresAt())
                .addValue("disabledAt", row.state().disabledAt())
                .addValue("revokedAt", row.state().revokedAt())
                .addValue("lastUsedAt", row.lastUsedAt())
                .addValue("version", row.state().version())
                .addValue("rowMac", row.rowMac());
    }

    private static ApiKeyRow row(String namespace, String id, ResultSet row) throws SQLException {
        return new ApiKeyRow(
                new Identity(namespace, id, row.getString(1), row.getLong(10)),
                new Cells(row.getString(2), row.getString(3), row.getString(4), row.getString(5), row.getString(6)),
                new Secrets(row.getString(7), row.getString(8), millis(row, 9)),
                new State(millis(row, 11), millis(row, 12), millis(row, 13), row.getLong(16)),
                millis(row, 14),
                row.getString(15));
    }

    private static @Nullable Long millis(ResultSet row, int column) throws SQLException {
        long value = row.getLong(column);
        return value == 0 && row.wasNull() ? null : value;
    }
}
