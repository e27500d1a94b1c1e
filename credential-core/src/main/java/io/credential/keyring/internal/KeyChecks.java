package io.credential.keyring.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.seal.internal.BlindIndex;
import io.credential.seal.internal.RowMac;
import io.credential.seal.internal.Sealer;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Stores the check value of each key, and finds out which keys the rows need, also those of products that the application
 * no longer has. Tables that do not exist hold no rows; selecting from one would end the transaction.
 */
final class KeyChecks {

    private static final String FIND_ALL = "SELECT key_id, check_value FROM _credential_key_checks ORDER BY key_id";

    private static final String INSERT = """
            INSERT INTO _credential_key_checks (key_id, check_value) VALUES (:keyId, :checkValue)
            ON CONFLICT (key_id) DO NOTHING""";

    private static final String DELETE =
            "DELETE FROM _credential_key_checks WHERE key_id = :keyId AND check_value = :checkValue";

    private static final String API_KEYS = "_credential_api_keys";
    private static final String API_KEY_TERMS = "_credential_api_key_terms";
    private static final String AUDIT_LOG = "_credential_audit_log";

    private static final String HOLDS_ROWS = "SELECT CASE WHEN EXISTS (SELECT 1 FROM {table}) THEN 1 ELSE 0 END";

    private static final String HOLDS_KEYS_UNDER = """
            SELECT CASE WHEN EXISTS (
                SELECT 1 FROM _credential_api_keys
                WHERE row_mac LIKE :mac
                   OR owner_id LIKE :bound OR scopes LIKE :bound OR metadata LIKE :bound OR details LIKE :bound
                   OR owner_id LIKE :plain OR scopes LIKE :plain OR metadata LIKE :plain
            ) THEN 1 ELSE 0 END""";

    private static final String HOLDS_KEYS_INDEXED_UNDER = """
            SELECT CASE WHEN EXISTS (
                SELECT 1 FROM _credential_api_keys WHERE owner_id_hash LIKE :index
            ) THEN 1 ELSE 0 END""";

    private static final String HOLDS_TERMS_INDEXED_UNDER = """
            SELECT CASE WHEN EXISTS (
                SELECT 1 FROM _credential_api_key_terms WHERE term LIKE :index
            ) THEN 1 ELSE 0 END""";

    private static final String HOLDS_ENDPOINTS_UNDER = """
            SELECT CASE WHEN EXISTS (
                SELECT 1 FROM {table}
                WHERE secret LIKE :bound OR previous_secret LIKE :bound OR headers LIKE :bound OR secret LIKE :plain
            ) THEN 1 ELSE 0 END""";

    private final CredentialDatabase database;
    private final JdbcClient jdbc;
    private final List<String> endpointsTables;

    /**
     * @param endpointsTables where webhook endpoints may be stored, with sealed secrets
     */
    KeyChecks(CredentialDatabase database, List<String> endpointsTables) {
        this.database = database;
        this.jdbc = database.jdbc();
        this.endpointsTables = List.copyOf(endpointsTables);
    }

    /** Returns the check values by key id. */
    Map<String, String> findAll() {
        Map<String, String> values = new LinkedHashMap<>();
        jdbc.sql(FIND_ALL).query(row -> {
            values.put(row.getString("key_id"), row.getString("check_value"));
        });
        return values;
    }

    /** Returns whether it was recorded; false if the key id has a check value already. */
    boolean record(String keyId, String checkValue) {
        return update(INSERT, keyId, checkValue);
    }

    /** Returns whether it was removed; false if another transaction has removed it. */
    boolean forget(String keyId, String checkValue) {
        return update(DELETE, keyId, checkValue);
    }

    /** Returns whether there is a row that needs a keyring. */
    boolean holdsSealedRows() {
        return Stream.concat(Stream.of(API_KEYS, AUDIT_LOG), endpointsTables.stream())
                .anyMatch(table -> database.hasTable(table) && isTrue(jdbc.sql(of(table, HOLDS_ROWS))));
    }

    /**
     * Returns whether there is a row with a MAC or cell under a key; if there is none, reads the entire tables. Entries of
     * the audit log do not count: they cannot be rewritten, and later entries confirm them under another key.
     */
    boolean holdsRowsSealedUnder(String keyId) {
        boolean keys = database.hasTable(API_KEYS)
                && isTrue(under(keyId, HOLDS_KEYS_UNDER).param("mac", RowMac.head(keyId) + "%"));
        return keys
                || endpointsTables.stream()
                        .anyMatch(table ->
                                database.hasTable(table) && isTrue(under(keyId, of(table, HOLDS_ENDPOINTS_UNDER))));
    }

    /** Returns whether there is a row indexed under an index key; if there is none, reads the entire tables. */
    boolean holdsRowsIndexedUnder(String indexKeyId) {
        return isIndexedUnder(indexKeyId, API_KEYS, HOLDS_KEYS_INDEXED_UNDER)
                || isIndexedUnder(indexKeyId, API_KEY_TERMS, HOLDS_TERMS_INDEXED_UNDER);
    }

    private boolean isIndexedUnder(String indexKeyId, String table, String query) {
        return database.hasTable(table) && isTrue(jdbc.sql(query).param("index", BlindIndex.head(indexKeyId) + "%"));
    }

    private boolean update(String sql, String keyId, String checkValue) {
        return jdbc.sql(sql)
                        .param("keyId", keyId)
                        .param("checkValue", checkValue)
                        .update()
                == 1;
    }

    private JdbcClient.StatementSpec under(String keyId, String sql) {
        return jdbc.sql(sql)
                .param("bound", Sealer.boundHead(keyId) + "%")
                .param("plain", Sealer.plainHead(keyId) + "%");
    }

    private static String of(String table, String sql) {
        return sql.replace("{table}", table);
    }

    private static boolean isTrue(JdbcClient.StatementSpec statement) {
        return statement.query(Integer.class).single() == 1;
    }
}
