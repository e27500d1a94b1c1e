package io.credential.apikey.internal.search;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.internal.CredentialDatabase;

/**
 * Stores the terms of the keys of one namespace. They only lead to keys, each of which is compared again after it was opened.
 * Thread-safe.
 */
public final class JdbcTermStore {

    public static final String TABLE = "_credential_api_key_terms";

    private static final String INSERT = """
            INSERT INTO _credential_api_key_terms (namespace, term, created_at, id)
            VALUES (:namespace, :term, :createdAt, :id)
            ON CONFLICT (namespace, term, created_at, id) DO NOTHING""";

    private static final String DELETE = """
            DELETE FROM _credential_api_key_terms
            WHERE namespace = :namespace AND id IN (:ids)""";

    private static final String IDS = """
            SELECT DISTINCT id FROM _credential_api_key_terms
            WHERE namespace = :namespace AND id > :afterId
            ORDER BY id
            LIMIT :limit""";

    private static final String FIND = """
            SELECT id, term, created_at FROM _credential_api_key_terms
            WHERE namespace = :namespace AND id IN (:ids)""";

    /** Public, so that a test can ask for its plan. */
    public static final String SEARCH = """
            SELECT created_at, id FROM _credential_api_key_terms
            WHERE namespace = :namespace AND term = :term
              AND (created_at, id) < (:beforeCreatedAt, :beforeId) AND created_at >= :createdFrom
            ORDER BY created_at DESC, id DESC
            LIMIT :limit""";

    private final CredentialDatabase database;
    private final String namespace;

    public JdbcTermStore(CredentialDatabase database, String namespace) {
        this.database = database;
        this.namespace = namespace;
    }

    /** The terms of a key. */
    public record TermsOfKey(String id, long createdAt, Set<String> terms) {

        /** Returns whether exactly these terms are stored. */
        public boolean areStored(Set<StoredTerm> stored) {
            return terms.stream()
                    .map(term -> new StoredTerm(term, createdAt))
                    .collect(Collectors.toSet())
                    .equals(stored);
        }
    }

    /** A term as it is stored, which a writer of the table may have changed. */
    public record StoredTerm(String term, long createdAt) {}

    /** Where the term of a key is found; newest keys first. */
    public record Hit(long createdAt, String id) {}

    /** Adds the terms of keys. */
    public void insert(List<TermsOfKey> keys) {
        List<SqlParameterSource> rows = keys.stream()
                .flatMap(key -> key.terms().stream()
                        .<SqlParameterSource>map(term -> new MapSqlParameterSource()
                                .addValue("namespace", namespace)
                                .addValue("term", term)
                                .addValue("createdAt", key.createdAt())
                                .addValue("id", key.id())))
                .toList();
        if (!rows.isEmpty()) {
            var unused = database.batchUpdate(INSERT, rows);
        }
    }

    /** Replaces the terms of a key. */
    public void replace(TermsOfKey key) {
        delete(List.of(key.id()));
        insert(List.of(key));
    }

    /** Removes the terms of keys, whether or not these exist. */
    public void delete(Collection<String> ids) {
        if (!ids.isEmpty()) {
            statement(DELETE).param("ids", ids).update();
        }
    }

    /** Returns the ids of some keys that have terms, the smallest first, after one of them. */
    public List<String> ids(String afterId, int limit) {
        return statement(IDS)
                .param("afterId", afterId)
                .param("limit", limit)
                .query((row, index) -> row.getString(1))
                .list();
    }

    /** Returns the terms of keys by id; without those that have none. */
    public Map<String, Set<StoredTerm>> find(Collection<String> ids) {
        Map<String, Set<StoredTerm>> found = new HashMap<>();
        if (!ids.isEmpty()) {
            statement(FIND).param("ids", ids).query(row -> {
                found.computeIfAbsent(row.getString(1), id -> new HashSet<>())
                        .add(new StoredTerm(row.getString(2), row.getLong(3)));
            });
        }
        return found;
    }

    /** Returns where keys with a term are, newest first, after a position and not older than a time. */
    public List<Hit> search(String term, Hit before, long createdFrom, int limit) {
        return statement(SEARCH)
                .param("term", term)
                .param("beforeCreatedAt", before.createdAt())
                .param("beforeId", before.id())
                .param("createdFrom", createdFrom)
                .param("limit", limit)
                .query((row, index) -> new Hit(row.getLong(1), row.getString(2)))
                .list();
    }

    private JdbcClient.StatementSpec statement(String sql) {
        return database.jdbc().sql(sql).param("namespace", namespace);
    }
}
