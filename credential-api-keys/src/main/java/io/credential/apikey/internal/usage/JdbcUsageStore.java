package io.credential.apikey.internal.usage;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

import io.credential.apikey.ApiKeyUsage;
import io.credential.apikey.internal.usage.OpenCounts.Counted;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaScripts;

/** Stores the counts of each key and day. Thread-safe. */
public final class JdbcUsageStore {

    /** The table of the counts. */
    public static final SchemaScripts SCHEMA =
            SchemaScripts.of("io/credential/apikey/internal/usage/migration", "_credential_api_key_usage");

    private static final String ROW = "(?, ?, ?, ?, ?, ?, ?, ?)";

    /** Of several rows, and so with parameters by position. */
    private static final String ADD = """
            INSERT INTO _credential_api_key_usage (namespace, id, day, requests, rejected_by_rate, rejected_by_scope, \
            rejected_by_network, rejected_by_quota)
            VALUES {rows}
            ON CONFLICT (namespace, id, day) DO UPDATE SET
                requests = _credential_api_key_usage.requests + excluded.requests,
                rejected_by_rate = _credential_api_key_usage.rejected_by_rate + excluded.rejected_by_rate,
                rejected_by_scope = _credential_api_key_usage.rejected_by_scope + excluded.rejected_by_scope,
                rejected_by_network = _credential_api_key_usage.rejected_by_network + excluded.rejected_by_network,
                rejected_by_quota = _credential_api_key_usage.rejected_by_quota + excluded.rejected_by_quota""";

    private static final String SELECT = """
            SELECT day, requests, rejected_by_rate, rejected_by_scope, rejected_by_network, rejected_by_quota
            FROM _credential_api_key_usage
            WHERE namespace = :namespace AND id = :id AND day BETWEEN :from AND :to
            ORDER BY day""";

    /** Of one key, so that keys are locked in the order in which counts are added. */
    private static final String DELETE_KEY =
            "DELETE FROM _credential_api_key_usage WHERE namespace = :namespace AND id = :id";

    /** The oldest day of a namespace, if it is over. */
    private static final String OLDEST = """
            (SELECT min(day) FROM _credential_api_key_usage WHERE namespace = :namespace AND day < :before)""";

    /** Removes rows of one day, so that the index leads to them. */
    private static final String DELETE_BEFORE = """
            DELETE FROM _credential_api_key_usage
            WHERE namespace = :namespace AND day = {oldest} AND id {is_one_of_oldest}""";

    private static final String IDS_OF_OLDEST = """
            SELECT id FROM _credential_api_key_usage
            WHERE namespace = :namespace AND day = {oldest}
            ORDER BY id
            LIMIT :limit""";

    private final CredentialDatabase database;
    private final String deleteBefore;

    /** @param database a database with the tables of {@link #SCHEMA} */
    public JdbcUsageStore(CredentialDatabase database) {
        this.database = database;
        this.deleteBefore = DELETE_BEFORE
                .replace("{is_one_of_oldest}", database.dialect().isOneOf(IDS_OF_OLDEST))
                .replace("{oldest}", OLDEST);
    }

    /**
     * Adds counts to the rows, in one statement.
     *
     * @param counted in the order of their keys, so that two nodes never deadlock
     */
    void add(List<Counted> counted) {
        List<Object> parameters = new ArrayList<>();
        for (Counted row : counted) {
            parameters.add(row.key().namespace());
            parameters.add(row.key().id());
            parameters.add(row.key().epochDay());
            parameters.add(row.requests());
            for (RejectionCause cause : RejectionCause.values()) {
                parameters.add(row.rejected(cause));
            }
        }
        String rows = ROW + (", " + ROW).repeat(counted.size() - 1);
        int written = database.jdbc()
                .sql(ADD.replace("{rows}", rows))
                .params(parameters)
                .update();
        if (written != counted.size()) {
            throw new IllegalStateException(
                    "Of the usage of " + counted.size() + " keys and days, " + written + " were written");
        }
    }

    /**
     * Returns the counts of a key on each day on which there are some, in the order of the days.
     *
     * @throws org.springframework.dao.DataAccessException if the database does not answer
     */
    public List<ApiKeyUsage> find(String namespace, String id, LocalDate from, LocalDate to) {
        return database.jdbc()
                .sql(SELECT)
                .param("namespace", namespace)
                .param("id", id)
                .param("from", from.toEpochDay())
                .param("to", to.toEpochDay())
                .query((row, index) -> new ApiKeyUsage(
                        LocalDate.ofEpochDay(row.getLong(1)),
                        row.getLong(2),
                        row.getLong(3),
                        row.getLong(4),
                        row.getLong(5),
                        row.getLong(6)))
                .list();
    }

    /** Removes the counts of these keys. */
    public void deleteForKeys(String namespace, Collection<String> ids) {
        var unused = database.batchUpdate(
                DELETE_KEY,
                ids.stream()
                        .sorted()
                        .<SqlParameterSource>map(id -> new MapSqlParameterSource()
                                .addValue("namespace", namespace)
                                .addValue("id", id))
                        .toList());
    }

    /**
     * Removes a batch of the counts of the oldest day before a day.
     *
     * @return how many were removed; 0 if none is left
     */
    public int deleteBefore(String namespace, LocalDate day, int limit) {
        return database.jdbc()
                .sql(deleteBefore)
                .param("namespace", namespace)
                .param("before", day.toEpochDay())
                .param("limit", limit)
                .update();
    }
}
