package io.credential.webhook.delivery.internal.statistics;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.internal.queue.DispatcherContext;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;

/** Stores the counts of each endpoint, event type and hour, and the last outcomes of each endpoint. Thread-safe. */
final class StatisticsStore {

    private static final String ADD = """
            INSERT INTO {hourly_counts} AS c (endpoint_id, hour, event_type, accepted, failed, dead)
            VALUES (:endpointId, :hour, :eventType, :accepted, :failed, :dead)
            ON CONFLICT (endpoint_id, hour, event_type) DO UPDATE SET
                accepted = c.accepted + excluded.accepted,
                failed = c.failed + excluded.failed,
                dead = c.dead + excluded.dead""";

    private static final String LAST_SUCCESS =
            "(SELECT max(s.at) FROM (SELECT o.last_success_at AS at UNION ALL SELECT excluded.last_success_at) AS s)";

    /** Does what {@link LastOutcomes#merge} does. */
    private static final String MERGE = """
            INSERT INTO {last_outcomes} AS o (endpoint_id, last_success_at, failing_since, last_failure_at)
            VALUES (:endpointId, :lastSuccessAt, :failingSince, :lastFailureAt)
            ON CONFLICT (endpoint_id) DO UPDATE SET
                last_success_at = {last_success},
                failing_since = (
                    SELECT min(f.at)
                    FROM (
                        SELECT o.failing_since AS at UNION ALL SELECT o.last_failure_at
                        UNION ALL SELECT excluded.failing_since UNION ALL SELECT excluded.last_failure_at) AS f
                    WHERE f.at > COALESCE({last_success}, 0)),
                last_failure_at = (
                    SELECT max(l.at)
                    FROM (SELECT o.last_failure_at AS at UNION ALL SELECT excluded.last_failure_at) AS l)""".replace("{last_success}", LAST_SUCCESS);

    private static final String TOTALS = """
            SELECT hour, accepted, failed, dead FROM {hourly_counts}
            WHERE endpoint_id = '' AND hour BETWEEN :first AND :last""";

    /** Counts that were written after the removal of their endpoint belong to none. */
    private static final String OF_ENDPOINT = """
            SELECT c.hour, c.accepted, c.failed, c.dead, c.event_type
            FROM {hourly_counts} c JOIN {endpoints} e ON e.endpoint_id = c.endpoint_id
            WHERE c.endpoint_id = :endpointId AND c.hour BETWEEN :first AND :last""";

    private static final String SUMS = """
            SELECT c.endpoint_id, sum(c.accepted), sum(c.failed), sum(c.dead)
            FROM {hourly_counts} c JOIN {endpoints} e ON e.endpoint_id = c.endpoint_id
            WHERE c.endpoint_id IN (:endpointIds) AND c.hour BETWEEN :first AND :last
            GROUP BY c.endpoint_id""";

    private static final String OUTCOMES = """
            SELECT o.endpoint_id, o.last_success_at, o.failing_since, o.last_failure_at
            FROM {last_outcomes} o JOIN {endpoints} e ON e.endpoint_id = o.endpoint_id
            WHERE o.endpoint_id IN (:endpointIds)""";

    private static final String OLDEST = "(SELECT min(hour) FROM {hourly_counts} WHERE hour < :before)";

    /** Removes rows of one hour, so that the index leads to them. */
    private static final String DELETE_BEFORE = """
            DELETE FROM {hourly_counts}
            WHERE hour = {oldest} AND endpoint_id {is_one_of_oldest}""";

    private static final String IDS_OF_OLDEST = """
            SELECT endpoint_id FROM {hourly_counts}
            WHERE hour = {oldest}
            ORDER BY endpoint_id
            LIMIT :limit""";

    private static final String DELETE_ORPHANS = "DELETE FROM {last_outcomes} WHERE endpoint_id {is_orphan}";

    private static final String ORPHANS = """
            SELECT o.endpoint_id FROM {last_outcomes} o
            WHERE NOT EXISTS (SELECT 1 FROM {endpoints} e WHERE e.endpoint_id = o.endpoint_id)
            LIMIT :limit""";

    private static final String FORGET_COUNTS = "DELETE FROM {hourly_counts} WHERE endpoint_id = :endpointId";

    private static final String FORGET_OUTCOMES = "DELETE FROM {last_outcomes} WHERE endpoint_id = :endpointId";

    private final DispatcherContext context;
    private final String add;
    private final String merge;
    private final String deleteBefore;
    private final String deleteOrphans;

    StatisticsStore(DispatcherContext context) {
        CredentialDatabase database = context.database();
        DispatcherTables tables = context.tables();
        this.context = context;
        this.add = tables.in(ADD);
        this.merge = tables.in(MERGE);
        this.deleteBefore = DELETE_BEFORE
                .replace("{is_one_of_oldest}", database.dialect().isOneUnlockedOf(IDS_OF_OLDEST))
                .replace("{oldest}", OLDEST);
        this.deleteOrphans =
                DELETE_ORPHANS.replace("{is_orphan}", database.dialect().isOneUnlockedOf(ORPHANS));
    }

    /** The counts of an hour, since 1970-01-01 in UTC, and of a type. */
    record HourRow(long hour, String eventType, AttemptCounts counts) {}

    /**
     * Adds counts to the rows, in two batches. All nodes lock the rows in the same order, and the totals, which all of them
     * change, last: in descending order.
     */
    void add(UnwrittenCounts.Taken taken) {
        context.database()
                .batchUpdate(
                        merge,
                        descending(taken.outcomes)
                                .map(row -> parameters(row.getKey(), row.getValue()))
                                .toList());
        context.database()
                .batchUpdate(
                        add,
                        descending(taken.counts)
                                .map(row -> parameters(row.getKey(), row.getValue()))
                                .toList());
    }

    private static <K extends Comparable<K>, V> Stream<Map.Entry<K, V>> descending(Map<K, V> rows) {
        return rows.entrySet().stream().sorted(Map.Entry.comparingByKey(Comparator.reverseOrder()));
    }

    private static SqlParameterSource parameters(CountKey key, AttemptCounts counts) {
        return new MapSqlParameterSource("endpointId", key.endpointId())
                .addValue("hour", key.hour())
                .addValue("eventType", key.eventType())
                .addValue("accepted", counts.accepted())
                .addValue("failed", counts.failed())
                .addValue("dead", counts.dead());
    }

    private static SqlParameterSource parameters(String endpointId, LastOutcomes outcomes) {
        return new MapSqlParameterSource("endpointId", endpointId)
                .addValue("lastSuccessAt", unless(LastOutcomes.NEVER, outcomes.lastSuccessAt()))
                .addValue("failingSince", unless(LastOutcomes.NOT_FAILING, outcomes.failingSince()))
                .addValue("lastFailureAt", unless(LastOutcomes.NEVER, outcomes.lastFailureAt()));
    }

    private static @Nullable Long unless(long absent, long time) {
        return time == absent ? null : time;
    }

    /** Returns the totals of all endpoints, in hours that have any. */
    List<HourRow> totals(long first, long last) {
        return context.sql(TOTALS)
                .param("first", first)
                .param("last", last)
                .query((row, index) -> new HourRow(
                        row.getLong(1),
                        CountKey.EVERY,
                        new AttemptCounts(row.getLong(2), row.getLong(3), row.getLong(4))))
                .list();
    }

    /** Returns the counts of an endpoint by hours and types that have any. */
    List<HourRow> ofEndpoint(String endpointId, long first, long last) {
        return context.sql(OF_ENDPOINT)
                .param("endpointId", endpointId)
                .param("first", first)
                .param("last", last)
                .query((row, index) -> new HourRow(
                        row.getLong(1),
                        row.getString(5),
                        new AttemptCounts(row.getLong(2), row.getLong(3), row.getLong(4))))
                .list();
    }

    /** Returns the counts of endpoints that have any, by their ids. */
    Map<String, AttemptCounts> sums(Collection<String> endpointIds, long first, long last) {
        return context
                .sql(SUMS)
                .param("endpointIds", endpointIds)
                .param("first", first)
                .param("last", last)
                .query((row, index) ->
                        Map.entry(row.getString(1), new AttemptCounts(row.getLong(2), row.getLong(3), row.getLong(4))))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Returns the last outcomes of endpoints that have any, by their ids. */
    Map<String, LastOutcomes> outcomes(Collection<String> endpointIds) {
        return context
                .sql(OUTCOMES)
                .param("endpointIds", endpointIds)
                .query((row, index) -> Map.entry(
                        row.getString(1),
                        new LastOutcomes(
                                time(row.getObject(2), LastOutcomes.NEVER),
                                time(row.getObject(3), LastOutcomes.NOT_FAILING),
                                time(row.getObject(4), LastOutcomes.NEVER))))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static long time(@Nullable Object column, long absent) {
        return column == null ? absent : ((Number) column).longValue();
    }

    /**
     * Removes a batch of the counts of the oldest hour before an hour.
     *
     * @return how many were removed; 0 if none is left, or another node is removing them
     */
    int deleteBefore(long hour, int limit) {
        return context.database()
                .write(() -> context.sql(deleteBefore)
                        .param("before", hour)
                        .param("limit", limit)
                        .update());
    }

    /** Removes a batch of last outcomes whose endpoints were removed; returns how many. */
    int deleteOrphans(int limit) {
        return context.database()
                .write(() -> context.sql(deleteOrphans).param("limit", limit).update());
    }

    /** Removes what was counted under an id before an endpoint was registered under it. */
    void forget(String endpointId) {
        context.sql(FORGET_OUTCOMES).param("endpointId", endpointId).update();
        context.sql(FORGET_COUNTS).param("endpointId", endpointId).update();
    }
}
