package io.credential.webhook.delivery.history;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.CredentialDatabase;
import io.credential.webhook.delivery.DeadLetterQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatcherRules;
import io.credential.webhook.delivery.queue.DispatcherTables;

/** Replays or removes many dead deliveries in batches, each in its own transaction unless the caller has one. */
final class DeadLetterEditor {

    private static final int BATCH = 500;

    private static final String LAST_OF_BATCH = """
            SELECT max(delivery_id)
            FROM (
                SELECT delivery_id FROM {deliveries}
                WHERE delivery_id > :after AND %s
                ORDER BY delivery_id
                LIMIT :limit) batch""";

    private static final String REPLAY = """
            UPDATE {deliveries}
            SET status = :pending, attempts = 0, next_attempt_at = :now, dead_at = NULL, redeliveries = redeliveries + 1
            WHERE delivery_id > :after AND delivery_id <= :last AND erased_at IS NULL AND %s""";

    private static final String PURGE = """
            DELETE FROM {deliveries}
            WHERE delivery_id > :after AND delivery_id <= :last AND %s
            RETURNING delivery_id, event_id""";

    private final CredentialDatabase database;
    private final JdbcClient jdbc;
    private final DispatcherTables tables;
    private final OrphanRemover orphans;

    DeadLetterEditor(CredentialDatabase database, DispatcherTables tables) {
        this.database = database;
        this.jdbc = database.jdbc();
        this.tables = tables;
        this.orphans = new OrphanRemover(database, tables);
    }

    private record Removed(String deliveryId, String eventId) {}

    /** Changes the matching deliveries after one id and up to another; returns how many. */
    @FunctionalInterface
    private interface Change {
        int apply(Criteria criteria, String after, String last);
    }

    /** Makes dead deliveries that have their payload pending and due, with all attempts left; returns how many. */
    int replayAll(DeadLetterQuery query, long now) {
        return inBatches(
                query,
                (criteria, after, last) -> criteria.bind(jdbc.sql(tables.in(criteria.in(REPLAY))))
                        .param("pending", DeliveryStatus.PENDING.text())
                        .param("now", now)
                        .param("after", after)
                        .param("last", last)
                        .update());
    }

    /** Removes dead deliveries with their attempts, and events without other deliveries; returns how many deliveries. */
    int purge(DeadLetterQuery query) {
        return inBatches(query, (criteria, after, last) -> {
            List<Removed> removed = criteria.bind(jdbc.sql(tables.in(criteria.in(PURGE))))
                    .param("after", after)
                    .param("last", last)
                    .query((row, index) -> new Removed(row.getString(1), row.getString(2)))
                    .list();
            orphans.removeAttempts(removed.stream().map(Removed::deliveryId).toList());
            orphans.removeUnreferenced(
                    removed.stream().map(Removed::eventId).distinct().toList());
            return removed.size();
        });
    }

    private int inBatches(DeadLetterQuery query, Change change) {
        DispatcherRules.require("query", query);
        if (query.endpointId() != null && !DispatcherRules.isName(query.endpointId())) {
            return 0;
        }
        Criteria criteria = Criteria.of(query);
        int changed = 0;
        String after = "";
        String last = lastOfBatch(criteria, after);
        while (last != null) {
            String from = after;
            String to = last;
            changed += database.inTransaction(() -> change.apply(criteria, from, to));
            after = last;
            last = lastOfBatch(criteria, after);
        }
        return changed;
    }

    private @Nullable String lastOfBatch(Criteria criteria, String after) {
        return criteria.bind(jdbc.sql(tables.in(criteria.in(LAST_OF_BATCH))))
                .param("after", after)
                .param("limit", BATCH)
                .query((row, index) -> Optional.ofNullable(row.getString(1)))
                .single()
                .orElse(null);
    }

    /** A query as a condition with parameters. */
    private record Criteria(String condition, Map<String, Object> parameters) {

        static Criteria of(DeadLetterQuery query) {
            StringBuilder condition = new StringBuilder("dead_at IS NOT NULL");
            Map<String, Object> parameters = new HashMap<>();
            if (query.endpointId() != null) {
                condition.append(" AND endpoint_id = :endpointId");
                parameters.put("endpointId", query.endpointId());
            }
            if (query.diedSince() != null) {
                condition.append(" AND dead_at >= :since");
                parameters.put("since", millis(query.diedSince()));
            }
            if (query.diedBefore() != null) {
                condition.append(" AND dead_at < :before");
                parameters.put("before", millis(query.diedBefore()));
            }
            return new Criteria(condition.toString(), parameters);
        }

        String in(String sql) {
            return sql.formatted(condition);
        }

        JdbcClient.StatementSpec bind(JdbcClient.StatementSpec statement) {
            return statement.params(parameters);
        }

        /** {@code Instant.MIN} and {@code MAX}, which mean no limit, exceed the range of milliseconds. */
        private static long millis(Instant time) {
            try {
                return time.toEpochMilli();
            } catch (ArithmeticException e) {
                return time.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
            }
        }
    }
}
