package io.credential.webhook.delivery.internal.history;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.seal.internal.RowMac;
import io.credential.seal.internal.UnknownSealKeyException;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.LogText;
import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.BulkJobState;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.delivery.internal.queue.SeenDelivery;
import io.credential.webhook.http.FailureReason;

/**
 * Stores jobs, and the deliveries that they have selected but not processed yet. A job is continued, and its end
 * audited, only if the MAC of its row verifies: otherwise, whoever can insert rows could make a node audit something
 * that nobody did. Thread-safe.
 */
final class BulkJobStore {

    private static final String ADD = """
            INSERT INTO {jobs} (job_id, state, endpoint_id, event_type, delivery_status, response_status, last_reason,
                audience, created_from, created_before, event_id, idempotency_key, min_attempts, started_by, created_at,
                row_mac)
            VALUES (:jobId, :state, :endpointId, :eventType, :deliveryStatus, CAST(:responseStatus AS INTEGER), :reason, :audience,
                CAST(:createdFrom AS BIGINT), :createdBefore, :eventId, :idempotencyKey, :minAttempts, :startedBy, :now,
                :mac)""";

    private static final String SELECT = """
            SELECT job_id, selected, done, skipped, state, created_at, finished_at, endpoint_id, event_type,
                delivery_status, response_status, last_reason, audience, created_from, created_before, event_id, idempotency_key,
                min_attempts, next_cursor, started_by, row_mac
            FROM {jobs}
            """;

    private static final String FIND = SELECT + "WHERE job_id = :jobId";

    private static final String FIND_OPEN =
            "SELECT job_id FROM {jobs} WHERE finished_at IS NULL ORDER BY created_at, job_id";

    private static final String LIST_OPEN =
            SELECT + "WHERE finished_at IS NULL ORDER BY created_at, job_id LIMIT :limit";

    private static final String LOCK_OPEN = FIND + " AND finished_at IS NULL";

    private static final String ADD_ITEM = """
            INSERT INTO {job_items} (job_id, delivery_id, status, redeliveries)
            VALUES (:jobId, :deliveryId, :status, :redeliveries)""";

    private static final String ADVANCE_SELECTION = """
            UPDATE {jobs}
            SET selected = selected + :count, next_cursor = :nextCursor, state = :state, row_mac = :mac
            WHERE job_id = :jobId AND state = 'selecting' AND selected = :selected""";

    private static final String NEXT_ITEMS = """
            SELECT delivery_id, status, redeliveries FROM {job_items}
            WHERE job_id = :jobId AND delivery_id > :after
            ORDER BY delivery_id
            LIMIT :limit""";

    private static final String REMOVE_ITEMS =
            "DELETE FROM {job_items} WHERE job_id = :jobId AND delivery_id IN (:deliveryIds)";

    private static final String ADVANCE_RETRY = """
            UPDATE {jobs}
            SET done = done + :count, skipped = skipped + :skipped, next_cursor = :nextCursor, state = :state,
                finished_at = CAST(:finishedAt AS BIGINT), row_mac = :mac
            WHERE job_id = :jobId AND state = 'retrying' AND done = :done""";

    private static final String CANCEL = """
            UPDATE {jobs}
            SET state = :state, finished_at = :finishedAt, row_mac = :mac
            WHERE job_id = :jobId AND finished_at IS NULL AND selected = :selected AND done = :done""";

    private static final String FIND_CANCELLED =
            "SELECT job_id FROM {jobs} WHERE finished_at < :before AND state = 'cancelled'";

    private static final String REMOVE_REST = """
            DELETE FROM {job_items}
            WHERE job_id = :jobId AND delivery_id IN (
                SELECT delivery_id FROM {job_items} WHERE job_id = :jobId ORDER BY delivery_id LIMIT :limit)""";

    /** How many rows of a selection one transaction removes. */
    private static final int REMOVED_AT_ONCE = 5000;

    private static final String REMOVE_FINISHED = "DELETE FROM {jobs} WHERE finished_at < :before";

    private static final RowMapper<StoredJob> JOB = (row, index) ->
            new StoredJob(job(row), query(row), row.getString("next_cursor"), row.getString("started_by"));

    private static final RowMapper<SealedJob> SEALED_JOB =
            (row, index) -> new SealedJob(JOB.mapRow(row, index), row.getString("row_mac"));

    private final CredentialDatabase database;
    private final DispatcherTables tables;
    private final RowMac macs;
    private final JdbcClient jdbc;

    BulkJobStore(CredentialDatabase database, DispatcherTables tables, RowMac macs) {
        this.database = database;
        this.tables = tables;
        this.macs = macs;
        this.jdbc = database.jdbc();
    }

    /** @param mac of the row; null if it has none */
    private record SealedJob(StoredJob stored, @Nullable String mac) {}

    /** The MAC of a job does not verify: its row was written or changed by something other than a node. */
    static final class ForgedJobException extends IllegalStateException {

        private static final long serialVersionUID = 1;

        ForgedJobException(String jobId, String table) {
            super(
                    "Row '" + LogText.of(jobId) + "' of the table " + table
                            + " was not written by a node with this keyring,"
                            + " or was changed since. It is not continued; find out who writes to that table, and delete the row");
        }
    }

    /** Stores a new job. Its query must be bounded by a time. */
    void add(StoredJob stored) {
        DeliveryQuery query = stored.query();
        Instant from = query.createdFrom();
        DeliveryStatus status = query.status();
        FailureReason reason = query.reason();
        var unused = database.write(() -> sql(ADD).param("jobId", stored.id())
                .param("state", stored.job().state().text())
                .param("endpointId", query.endpointId())
                .param("eventType", query.eventType())
                .param("deliveryStatus", status == null ? null : status.text())
                .param("responseStatus", query.responseStatus())
                .param("reason", reason == null ? null : reason.text())
                .param("audience", query.audience())
                .param("createdFrom", from == null ? null : from.toEpochMilli())
                .param(
                        "createdBefore",
                        Objects.requireNonNull(query.createdBefore()).toEpochMilli())
                .param("eventId", query.eventId())
                .param("idempotencyKey", query.idempotencyKey())
                .param("minAttempts", query.minAttempts())
                .param("startedBy", stored.startedBy())
                .param("now", stored.job().createdAt().toEpochMilli())
                .param("mac", macs.compute(stored.values()))
                .update());
    }

    Optional<BulkJob> find(String jobId) {
        return sql(FIND).param("jobId", jobId).query(JOB).optional().map(StoredJob::job);
    }

    /** Returns the jobs that have not finished, the oldest first, even those that only a newer version can continue. */
    List<BulkJob> open(int limit) {
        return sql(LIST_OPEN)
                .param("limit", limit)
                .query((row, index) -> job(row))
                .list();
    }

    /** Returns the ids of the jobs that have not finished, the oldest first. */
    List<String> findOpen() {
        return sql(FIND_OPEN).query((row, index) -> row.getString(1)).list();
    }

    /**
     * Locks a job until the end of the transaction, which must be a new one. It may not be idle for longer than ten seconds.
     *
     * @return empty if another node has locked the job, or it has finished
     * @throws ForgedJobException if the MAC of the row does not verify
     * @throws UnknownSealKeyException if this node lacks the key of the MAC
     */
    Optional<StoredJob> lockOpen(String jobId) {
        database.limitIdleTime();
        return sql(LOCK_OPEN + database.dialect().skipLocked())
                .param("jobId", jobId)
                .query(SEALED_JOB)
                .optional()
                .map(this::verified);
    }

    /**
     * Locks a job like {@link #lockOpen}, but waits for another node that has locked it, and leaves the limit to the caller.
     *
     * @return empty if the job does not exist or has finished
     */
    Optional<StoredJob> awaitOpen(String jobId) {
        return sql(LOCK_OPEN + database.dialect().lock())
                .param("jobId", jobId)
                .query(SEALED_JOB)
                .optional()
                .map(this::verified);
    }

    private StoredJob verified(SealedJob sealed) {
        String mac = sealed.mac();
        if (mac == null || !macs.verify(sealed.stored().values(), mac)) {
            throw new ForgedJobException(sealed.stored().id(), tables.jobs());
        }
        return sealed.stored();
    }

    /** Adds a page to the selection of a locked job. */
    void select(StoredJob stored, List<SeenDelivery> page, @Nullable String nextCursor) {
        if (!page.isEmpty()) {
            var unused = database.batchUpdate(
                    tables.in(ADD_ITEM),
                    page.stream()
                            .<SqlParameterSource>map(seen -> new MapSqlParameterSource("jobId", stored.id())
                                    .addValue("deliveryId", seen.deliveryId())
                                    .addValue("status", seen.status().text())
                                    .addValue("redeliveries", seen.redeliveries()))
                            .toList());
        }
        StoredJob selected = stored.selected(page.size(), nextCursor);
        requireChanged(
                stored,
                sql(ADVANCE_SELECTION)
                        .param("count", page.size())
                        .param("nextCursor", nextCursor)
                        .param("state", selected.job().state().text())
                        .param("mac", macs.compute(selected.values()))
                        .param("jobId", stored.id())
                        .param("selected", stored.job().selected())
                        .update());
    }

    /** Returns the next deliveries of a selection, in the order of their ids. */
    List<SeenDelivery> nextItems(StoredJob stored, int limit) {
        return sql(NEXT_ITEMS)
                .param("jobId", stored.id())
                .param("after", Objects.requireNonNullElse(stored.nextCursor(), ""))
                .param("limit", limit)
                .query((row, index) -> new SeenDelivery(
                        row.getString(1),
                        DeliveryStatus.ofText(row.getString(2)).orElseThrow(),
                        row.getInt(3)))
                .list();
    }

    /**
     * Removes processed deliveries from the selection of a locked job.
     *
     * @param done the processed deliveries
     * @param skipped how many of them were skipped
     * @param nextCursor the delivery after which the next batch begins; null for the first one
     * @param finishedAt when the job finished; null if it has not
     * @return the job as it is then
     */
    StoredJob advance(
            StoredJob stored,
            List<SeenDelivery> done,
            int skipped,
            @Nullable String nextCursor,
            @Nullable Instant finishedAt) {
        if (!done.isEmpty()) {
            sql(REMOVE_ITEMS)
                    .param("jobId", stored.id())
                    .param(
                            "deliveryIds",
                            done.stream().map(SeenDelivery::deliveryId).toList())
                    .update();
        }
        StoredJob advanced = stored.advanced(done.size(), skipped, nextCursor, finishedAt);
        requireChanged(
                stored,
                sql(ADVANCE_RETRY)
                        .param("count", done.size())
                        .param("skipped", skipped)
                        .param("nextCursor", nextCursor)
                        .param("state", advanced.job().state().text())
                        .param("finishedAt", finishedAt == null ? null : finishedAt.toEpochMilli())
                        .param("mac", macs.compute(advanced.values()))
                        .param("jobId", stored.id())
                        .param("done", stored.job().done())
                        .update());
        return advanced;
    }

    /** Cancels a locked job; returns it as it is then. Its selection stays until {@link #removeSelection}. */
    StoredJob cancel(StoredJob stored, Instant now) {
        StoredJob cancelled = stored.cancelled(now);
        requireChanged(
                stored,
                sql(CANCEL)
                        .param("state", cancelled.job().state().text())
                        .param("finishedAt", now.toEpochMilli())
                        .param("mac", macs.compute(cancelled.values()))
                        .param("jobId", stored.id())
                        .param("selected", stored.job().selected())
                        .param("done", stored.job().done())
                        .update());
        return cancelled;
    }

    /** Removes what is left of the selection of a job that nothing continues, in small transactions unless the caller has one. */
    void removeSelection(String jobId) {
        int removed;
        do {
            removed = database.write(() -> sql(REMOVE_REST)
                    .param("jobId", jobId)
                    .param("limit", REMOVED_AT_ONCE)
                    .update());
        } while (removed == REMOVED_AT_ONCE);
    }

    /** Removes jobs that finished or were cancelled before this time, in Unix milliseconds. */
    void removeFinishedBefore(long before) {
        // A node may have crashed between the cancellation and the removal of the selection.
        sql(FIND_CANCELLED).param("before", before).query(String.class).list().forEach(this::removeSelection);
        var unused = database.write(
                () -> sql(REMOVE_FINISHED).param("before", before).update());
    }

    private JdbcClient.StatementSpec sql(String sql) {
        return jdbc.sql(tables.in(sql));
    }

    private static void requireChanged(StoredJob stored, int changed) {
        if (changed != 1) {
            throw new IllegalStateException("Job " + stored.id() + " was changed although it is locked");
        }
    }

    private static BulkJob job(ResultSet row) throws SQLException {
        return new BulkJob(
                row.getString("job_id"),
                row.getLong("selected"),
                row.getLong("done"),
                row.getLong("skipped"),
                BulkJobState.ofText(row.getString("state")).orElseThrow(),
                Instant.ofEpochMilli(row.getLong("created_at")),
                time(row, "finished_at"));
    }

    private static DeliveryQuery query(ResultSet row) throws SQLException {
        String status = row.getString("delivery_status");
        String reason = row.getString("last_reason");
        return new DeliveryQuery(
                row.getString("endpoint_id"),
                row.getString("event_type"),
                status == null ? null : statusOf(status),
                DeliveryReader.number(row, row.findColumn("response_status")),
                reason == null ? null : reasonOf(reason),
                row.getString("audience"),
                time(row, "created_from"),
                Instant.ofEpochMilli(row.getLong("created_before")),
                row.getString("event_id"),
                row.getString("idempotency_key"),
                row.getInt("min_attempts"),
                DeliveryQuery.MAX_LIMIT,
                null);
    }

    /** A status that only a newer version knows must not select everything. */
    private static DeliveryStatus statusOf(String text) {
        return DeliveryStatus.ofText(text)
                .orElseThrow(() -> new IllegalStateException("The job asks for the unknown status '" + text + "'"));
    }

    /** The same holds for a reason. */
    private static FailureReason reasonOf(String text) {
        return FailureReason.ofText(text)
                .orElseThrow(() -> new IllegalStateException("The job asks for the unknown reason '" + text + "'"));
    }

    private static @Nullable Instant time(ResultSet row, String column) throws SQLException {
        return DeliveryReader.time(row, row.findColumn(column));
    }
}
