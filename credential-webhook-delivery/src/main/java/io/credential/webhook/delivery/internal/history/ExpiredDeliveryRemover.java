package io.credential.webhook.delivery.internal.history;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntBiFunction;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SqlDialect;
import io.credential.webhook.delivery.internal.outbox.EventIdGenerator;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;

/**
 * Removes expired deliveries, and events without deliveries, in small batches. Ids begin with the time of their creation, so
 * that a walk along the primary key reads only old rows. Nodes that do this at the same time do not wait for each other.
 * Thread-safe.
 */
final class ExpiredDeliveryRemover {

    private static final int BATCH = 500;

    private static final String VISIT_DELIVERIES = """
            SELECT max(id), max(due)
            FROM (
                SELECT delivery_id AS id, CASE WHEN delivered_at < :before THEN 1 ELSE 0 END AS due
                FROM {deliveries}
                WHERE delivery_id > :after AND delivery_id < :past
                ORDER BY delivery_id
                LIMIT :limit) visited""";

    /** Repeats the range of the selection: without it, PostgreSQL may read the whole table. */
    private static final String REMOVE_DELIVERIES = """
            DELETE FROM {deliveries}
            WHERE delivery_id > :after AND delivery_id <= :last AND delivery_id {is_one_of_selected}
            RETURNING delivery_id""";

    private static final String SELECT_DELIVERIES = """
            SELECT delivery_id FROM {deliveries}
            WHERE delivery_id > :after AND delivery_id <= :last AND delivered_at < :before""";

    private static final String VISIT_EVENTS = """
            SELECT max(id), max(due)
            FROM (
                SELECT e.event_id AS id, CASE WHEN {unreferenced} THEN 1 ELSE 0 END AS due
                FROM {events} e
                WHERE e.event_id > :after AND e.event_id < :past
                ORDER BY e.event_id
                LIMIT :limit) visited""";

    private static final String REMOVE_EVENTS = """
            DELETE FROM {events}
            WHERE event_id > :after AND event_id <= :last AND event_id {is_one_of_selected}""";

    private static final String SELECT_EVENTS = """
            SELECT e.event_id FROM {events} e
            WHERE e.event_id > :after AND e.event_id <= :last AND {unreferenced}""";

    private final CredentialDatabase database;
    private final JdbcClient jdbc;
    private final OrphanRemover orphans;

    // Not private, so that a test can run EXPLAIN.
    final String visitDeliveries;
    final String removeDeliveries;
    final String visitEvents;
    final String removeEvents;

    ExpiredDeliveryRemover(CredentialDatabase database, DispatcherTables tables) {
        SqlDialect dialect = database.dialect();
        this.database = database;
        this.jdbc = database.jdbc();
        this.orphans = new OrphanRemover(database, tables);
        this.visitDeliveries = OrphanRemover.in(VISIT_DELIVERIES, tables);
        this.removeDeliveries = OrphanRemover.removal(REMOVE_DELIVERIES, SELECT_DELIVERIES, dialect, tables);
        this.visitEvents = OrphanRemover.in(VISIT_EVENTS, tables);
        this.removeEvents = OrphanRemover.removal(REMOVE_EVENTS, SELECT_EVENTS, dialect, tables);
    }

    /**
     * The next rows of a walk.
     *
     * @param last the id of the last row
     * @param due whether any of the rows is to be removed
     */
    private record Stretch(@Nullable String last, boolean due) {}

    /** @param stopping asked before each batch; if it returns true, the rest is left to the next call */
    int removeDeliveredBefore(long before, BooleanSupplier stopping) {
        if (before <= 0) {
            return 0; // the hexadecimal digits of a time before 1970 sort after all others
        }
        int removed = walk(visitDeliveries, before, stopping, (after, last) -> removeDeliveries(after, last, before));
        walk(visitEvents, before, stopping, this::removeEvents);
        return removed;
    }

    /** @param removal removes expired rows between two ids, the first excluded, and returns how many */
    private int walk(String visit, long before, BooleanSupplier stopping, ToIntBiFunction<String, String> removal) {
        int removed = 0;
        String after = "";
        Stretch stretch = visit(visit, after, before);
        while (stretch.last() != null && !stopping.getAsBoolean()) {
            String from = after;
            String to = stretch.last();
            if (stretch.due()) {
                removed += database.inTransaction(() -> removal.applyAsInt(from, to));
            }
            after = to;
            stretch = visit(visit, after, before);
        }
        return removed;
    }

    private Stretch visit(String sql, String after, long before) {
        return jdbc.sql(sql)
                .param("after", after)
                .param("past", EventIdGenerator.timePrefix(before))
                .param("before", before)
                .param("limit", BATCH)
                .query((row, index) -> new Stretch(row.getString(1), row.getInt(2) == 1))
                .single();
    }

    private int removeDeliveries(String after, String last, long before) {
        List<String> removed = jdbc.sql(removeDeliveries)
                .param("after", after)
                .param("last", last)
                .param("before", before)
                .query((row, index) -> row.getString(1))
                .list();
        orphans.removeAttempts(removed);
        return removed.size();
    }

    private int removeEvents(String after, String last) {
        return jdbc.sql(removeEvents).param("after", after).param("last", last).update();
    }
}
