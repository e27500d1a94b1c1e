package io.credential.webhook.delivery.internal.queue;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatcherBacklog;

/** Counts the deliveries that are not delivered, at a limited cost. Thread-safe. */
public final class BacklogReader {

    /** Reads partial indexes in their order: it does not read delivered rows, and stops at the limit. */
    static final String COUNT = """
            SELECT o.status, count(*) AS deliveries
            FROM (
                SELECT d.status FROM {deliveries} d
                WHERE d.delivered_at IS NULL AND d.dead_at IS NULL
                ORDER BY d.endpoint_id, d.next_attempt_at LIMIT :most
            ) o
            GROUP BY o.status
            UNION ALL
            SELECT 'dead', count(*)
            FROM (
                SELECT d.delivery_id FROM {deliveries} d
                WHERE d.dead_at IS NOT NULL
                ORDER BY d.delivery_id LIMIT :most
            ) x""";

    static final String COUNT_OF = """
            SELECT count(*)
            FROM (
                SELECT d.next_attempt_at FROM {deliveries} d
                WHERE d.endpoint_id = :endpointId AND d.delivered_at IS NULL AND d.dead_at IS NULL
                ORDER BY d.next_attempt_at LIMIT :most
            ) o""";

    private final CredentialDatabase database;
    private final DeliveryQueue queue;
    private final InstantSource clock;
    private final String count;
    private final String countOf;

    public BacklogReader(
            CredentialDatabase database, DispatcherTables tables, DeliveryQueue queue, InstantSource clock) {
        this.database = database;
        this.queue = queue;
        this.clock = clock;
        this.count = tables.in(COUNT);
        this.countOf = tables.in(COUNT_OF);
    }

    /** Reads the backlog. The cost depends on how much there is, up to the limit, and on how many endpoints have any. */
    public DispatcherBacklog read() {
        Map<String, Integer> numbers = new HashMap<>();
        database.jdbc().sql(count).param("most", DispatcherBacklog.MOST).query(row -> {
            numbers.put(row.getString("status"), row.getInt("deliveries"));
        });
        Map<String, Long> dueAts = queue.scan(clock.millis()).dueAts();
        return new DispatcherBacklog(
                numbers.getOrDefault(DeliveryStatus.PENDING.text(), 0),
                numbers.getOrDefault(DeliveryStatus.IN_FLIGHT.text(), 0),
                numbers.getOrDefault(DeliveryStatus.DEAD.text(), 0),
                dueAts.isEmpty() ? null : Instant.ofEpochMilli(Collections.min(dueAts.values())));
    }

    /** Returns how many deliveries to an endpoint are pending or in flight, up to the limit. */
    public int openOf(String endpointId, int most) {
        return database.jdbc()
                .sql(countOf)
                .param("endpointId", endpointId)
                .param("most", most)
                .query(Integer.class)
                .single();
    }
}
