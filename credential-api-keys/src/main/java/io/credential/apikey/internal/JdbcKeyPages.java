package io.credential.apikey.internal;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.apikey.ListOptions;
import io.credential.apikey.internal.KeyReader.Position;
import io.credential.storage.internal.CredentialDatabase;

import static io.credential.apikey.internal.JdbcApiKeyStore.COLUMNS;
import static io.credential.apikey.internal.JdbcApiKeyStore.ROW;

/** Reads the keys of one namespace in pages, each in the order of an index. */
final class JdbcKeyPages {

    private static final String LIST = """
            SELECT %s FROM _credential_api_keys
            WHERE namespace = :namespace %s
              AND (created_at, id) < (:beforeCreatedAt, :beforeId)
              AND (:includeRevoked = 1 OR revoked_at IS NULL)
              AND (:includeExpired = 1 OR expires_at IS NULL OR expires_at > :now)
            ORDER BY created_at DESC, id DESC
            LIMIT :limit""";

    private static final String LIST_ALL = LIST.formatted(COLUMNS, "");

    private static final String LIST_FOR_OWNER = LIST.formatted(COLUMNS, "AND owner_id_hash IN (:ownerIdHashes)");

    /** Not private, so that a test can ask for its plan. */
    static final String SEARCH = """
            SELECT %s FROM _credential_api_keys
            WHERE namespace = :namespace %s
              AND (created_at, id) < (:beforeCreatedAt, :beforeId) AND created_at >= :createdFrom
            ORDER BY created_at DESC, id DESC
            LIMIT :limit""";

    static final String SEARCH_ALL = SEARCH.formatted(COLUMNS, "");

    static final String SEARCH_OWNER = SEARCH.formatted(COLUMNS, "AND owner_id_hash = :ownerIdHash");

    private static final String WALK = """
            SELECT %s FROM _credential_api_keys
            WHERE namespace = :namespace AND id > :afterId
            ORDER BY id
            LIMIT :limit""".formatted(COLUMNS);

    /** Not private, so that a test can ask for its plan. */
    static final String EXPIRING = """
            SELECT %s FROM _credential_api_keys
            WHERE namespace = :namespace AND (expires_at, id) > (:afterExpiresAt, :afterId) AND expires_at <= :until
              AND revoked_at IS NULL AND disabled_at IS NULL
            ORDER BY expires_at, id
            LIMIT :limit""".formatted(COLUMNS);

    private static final String END_OF_PAGE = """
            SELECT max(id) FROM (
                SELECT id FROM _credential_api_keys
                WHERE namespace = :namespace AND id > :afterId
                ORDER BY id
                LIMIT :limit) page""";

    /** The last use is in no index, so this reads a range of the primary key. */
    private static final String UNUSED = """
            SELECT %s FROM _credential_api_keys
            WHERE namespace = :namespace AND id > :afterId AND id <= :toId
              AND revoked_at IS NULL AND disabled_at IS NULL AND (expires_at IS NULL OR expires_at > :now)
              AND created_at < :since AND (last_used_at IS NULL OR last_used_at < :since)
            ORDER BY id""".formatted(COLUMNS);

    private final JdbcClient jdbc;
    private final String namespace;

    JdbcKeyPages(CredentialDatabase database, String namespace) {
        this.jdbc = database.jdbc();
        this.namespace = namespace;
    }

    /**
     * Returns the rows, newest first, that follow a position.
     *
     * @param ownerIdHashes the hashes of the owner under every index key; null for all owners
     */
    List<ApiKeyRow> list(
            @Nullable List<String> ownerIdHashes, Position before, ListOptions options, long now, int limit) {
        JdbcClient.StatementSpec list = ownerIdHashes == null
                ? statement(LIST_ALL)
                : statement(LIST_FOR_OWNER).param("ownerIdHashes", ownerIdHashes);
        return list.param("beforeCreatedAt", before.createdAt())
                .param("beforeId", before.id())
                .param("includeRevoked", options.includeRevoked() ? 1 : 0)
                .param("includeExpired", options.includeExpired() ? 1 : 0)
                .param("now", now)
                .param("limit", limit)
                .query(ROW)
                .list();
    }

    /**
     * Returns the rows, newest first, that follow a position and are not older than a time.
     *
     * @param ownerIdHash null for all owners
     */
    List<ApiKeyRow> search(@Nullable String ownerIdHash, Position before, long createdFrom, int limit) {
        JdbcClient.StatementSpec search = ownerIdHash == null
                ? statement(SEARCH_ALL)
                : statement(SEARCH_OWNER).param("ownerIdHash", ownerIdHash);
        return search.param("beforeCreatedAt", before.createdAt())
                .param("beforeId", before.id())
                .param("createdFrom", createdFrom)
                .param("limit", limit)
                .query(ROW)
                .list();
    }

    /** The rows by id, after one of them. */
    List<ApiKeyRow> walk(String afterId, int limit) {
        return statement(WALK)
                .param("afterId", afterId)
                .param("limit", limit)
                .query(ROW)
                .list();
    }

    /**
     * Returns the rows that expire up to a time in Unix milliseconds and are neither revoked nor disabled, in the order of
     * expiry, after a position.
     */
    List<ApiKeyRow> expiring(long afterExpiresAt, String afterId, long until, int limit) {
        return statement(EXPIRING)
                .param("afterExpiresAt", afterExpiresAt)
                .param("afterId", afterId)
                .param("until", until)
                .param("limit", limit)
                .query(ROW)
                .list();
    }

    /** Returns the last of up to a number of ids after one of them; empty if none follows. */
    Optional<String> endOfPage(String afterId, int limit) {
        return statement(END_OF_PAGE)
                .param("afterId", afterId)
                .param("limit", limit)
                .query((row, index) -> Optional.ofNullable(row.getString(1)))
                .single();
    }

    /**
     * Returns the rows in a range of ids that are neither revoked, disabled nor expired, and that were created, and last used if
     * ever, before a time in Unix milliseconds.
     */
    List<ApiKeyRow> unused(String afterId, String toId, long since, long now) {
        return statement(UNUSED)
                .param("afterId", afterId)
                .param("toId", toId)
                .param("since", since)
                .param("now", now)
                .query(ROW)
                .list();
    }

    /** A statement about the keys of this namespace. */
    private JdbcClient.StatementSpec statement(String sql) {
        return jdbc.sql(sql).param("namespace", namespace);
    }
}
