package io.credential.webhook.delivery.internal.history;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.audit.internal.AuditTrail;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.DeadLetterQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.http.FailureReason;

/** Replays or removes many dead deliveries in batches, each in its own transaction unless the caller has one. */
final class DeadLetterEditor {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterEditor.class);

    private static final int BATCH = 500;
    private static final int REPORT_EVERY = 20 * BATCH;

    private static final String VISIT = """
            SELECT max(delivery_id), count(*)
            FROM (
                SELECT delivery_id FROM {deliveries}
                WHERE delivery_id > :after AND %s
                ORDER BY delivery_id
                LIMIT :limit) batch""";

    private static final String REPLAY = """
            UPDATE {deliveries}
            SET status = :pending, attempts = 0, next_attempt_at = :now, dead_at = NULL,
                redeliveries = redeliveries + 1, takeovers = 0
            WHERE delivery_id > :after AND delivery_id <= :last AND erased_at IS NULL AND %s""";

    private static final String PURGE = """
            DELETE FROM {deliveries}
            WHERE delivery_id > :after AND delivery_id <= :last AND %s
            RETURNING delivery_id, event_id""";

    private final CredentialDatabase database;
    private final JdbcClient jdbc;
    private final DispatcherTables tables;
    private final OrphanRemover orphans;
    private final AuditTrail audit;
    private final Runnable onReplayed;

    /** @param onReplayed called after each commit of replayed deliveries */
    DeadLetterEditor(CredentialDatabase database, DispatcherTables tables, AuditTrail audit, Runnable onReplayed) {
        this.database = database;
        this.jdbc = database.jdbc();
        this.tables = tables;
        this.orphans = new OrphanRemover(database, tables);
        this.audit = audit;
        this.onReplayed = onReplayed;
    }

    /** @param last the id of its last delivery; null if there is none */
    private record Batch(@Nullable String last, int size) {}

    private record Removed(String deliveryId, String eventId) {}

    /** Changes the matching deliveries after one id and up to another; returns how many. */
    @FunctionalInterface
    private interface Change {
        int apply(SearchConditions dead, String after, String last);
    }

    /** Makes dead deliveries that have their payload pending and due, with all attempts left; returns how many. */
    int replayAll(DeadLetterQuery query, long now) {
        return inBatches(
                "Replaying",
                query,
                facts -> audit.successReport("webhook.dead-letter.replay", null, facts),
                (dead, after, last) -> {
                    int replayed = statement(REPLAY, dead)
                            .param("pending", DeliveryStatus.PENDING.text())
                            .param("now", now)
                            .param("after", after)
                            .param("last", last)
                            .update();
                    if (replayed > 0) {
                        database.afterCommit(onReplayed);
                    }
                    return replayed;
                });
    }

    /** Removes dead deliveries with their attempts, and events without other deliveries; returns how many deliveries. */
    int purge(DeadLetterQuery query) {
        return inBatches(
                "Purging",
                query,
                facts -> audit.successReport("webhook.dead-letter.purge", null, facts),
                (dead, after, last) -> {
                    List<Removed> removed = statement(PURGE, dead)
                            .param("after", after)
                            .param("last", last)
                            .query((row, index) -> new Removed(row.getString(1), row.getString(2)))
                            .list();
                    orphans.removeAttempts(
                            removed.stream().map(Removed::deliveryId).toList());
                    orphans.removeUnreferenced(
                            removed.stream().map(Removed::eventId).distinct().toList());
                    return removed.size();
                });
    }

    /** Reports what was changed even if a later batch fails. */
    private int inBatches(
            String operation, DeadLetterQuery query, Function<Map<String, Object>, Runnable> report, Change change) {
        DispatcherRules.require("query", query);
        if (query.endpointId() != null && !DispatcherRules.isName(query.endpointId())) {
            return 0;
        }
        SearchConditions dead = conditions(query);
        int examined = 0;
        int changed = 0;
        String after = "";
        try {
            Batch batch = visit(dead, after);
            while (batch.last() != null) {
                String from = after;
                String to = batch.last();
                changed += database.inTransaction(() -> change.apply(dead, from, to));
                examined += batch.size();
                if (examined % REPORT_EVERY == 0) {
                    LOG.info(
                            "{} dead deliveries in {}: {} rows examined, {} changed so far",
                            operation,
                            tables.deliveries(),
                            examined,
                            changed);
                }
                after = to;
                batch = visit(dead, after);
            }
        } finally {
            if (changed > 0) {
                database.afterCommit(report.apply(facts(query, changed)));
            }
        }
        return changed;
    }

    private static SearchConditions conditions(DeadLetterQuery query) {
        SearchConditions dead = new SearchConditions()
                .add("dead_at IS NOT NULL")
                .add("endpoint_id = :endpointId", "endpointId", query.endpointId())
                .add("dead_at >= :since", "since", millis(query.diedSince()))
                .add("dead_at < :before", "before", millis(query.diedBefore()))
                .add("last_reason = :reason", "reason", text(query.reason()));
        if (query.noReason()) {
            dead.add("last_reason IS NULL");
        }
        return dead;
    }

    private static Map<String, Object> facts(DeadLetterQuery query, int changed) {
        Map<String, Object> facts = new HashMap<>();
        facts.put("count", changed);
        BulkRetryAudit.put(facts, "endpointId", query.endpointId());
        BulkRetryAudit.put(facts, "diedSince", query.diedSince());
        BulkRetryAudit.put(facts, "diedBefore", query.diedBefore());
        BulkRetryAudit.put(facts, "reason", query.noReason() ? "none" : text(query.reason()));
        return facts;
    }

    private Batch visit(SearchConditions dead, String after) {
        return statement(VISIT, dead)
                .param("after", after)
                .param("limit", BATCH)
                .query((row, index) -> new Batch(row.getString(1), row.getInt(2)))
                .single();
    }

    private JdbcClient.StatementSpec statement(String sql, SearchConditions dead) {
        return jdbc.sql(tables.in(sql.formatted(dead.sql()))).params(dead.parameters());
    }

    private static @Nullable String text(@Nullable FailureReason reason) {
        return reason == null ? null : reason.text();
    }

    /** {@code Instant.MIN} and {@code MAX}, which mean no limit, exceed the range of milliseconds. */
    private static @Nullable Long millis(@Nullable Instant time) {
        try {
            return time == null ? null : time.toEpochMilli();
        } catch (ArithmeticException e) {
            return time.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }
}
