package io.credential.webhook.delivery;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.CredentialDatabase;

/**
 * The deliveries that are due, and what becomes of them. What is claimed by one is claimed by no other; an outcome is
 * stored only under the claim that it belongs to. Thread-safe.
 */
interface DeliveryQueue {

    /** Steps from endpoint to endpoint through the index instead of reading what waits; a row without one tells of any. */
    String LOOK = """
            WITH RECURSIVE open (endpoint_id) AS (
                SELECT (
                    SELECT d.endpoint_id FROM {deliveries} d
                    WHERE d.endpoint_id > '' AND d.delivered_at IS NULL AND d.dead_at IS NULL
                    ORDER BY d.endpoint_id LIMIT 1)
                UNION ALL
                SELECT (
                    SELECT d.endpoint_id FROM {deliveries} d
                    WHERE d.endpoint_id > o.endpoint_id AND d.delivered_at IS NULL AND d.dead_at IS NULL
                    ORDER BY d.endpoint_id LIMIT 1)
                FROM open o WHERE o.endpoint_id IS NOT NULL
            )
            SELECT endpoint_id, due_at
            FROM (
                SELECT o.endpoint_id, (
                    SELECT d.next_attempt_at FROM {deliveries} d
                    WHERE d.endpoint_id = o.endpoint_id AND d.delivered_at IS NULL AND d.dead_at IS NULL
                      AND d.status = 'pending'
                    ORDER BY d.next_attempt_at LIMIT 1) AS due_at
                FROM open o WHERE o.endpoint_id IS NOT NULL
            ) first
            WHERE due_at <= :until
            UNION ALL
            SELECT NULL, NULL WHERE EXISTS (SELECT 1 FROM open WHERE endpoint_id IS NOT NULL)""";

    /** @param inlineBytes claims come with payloads of up to so many bytes, and without larger ones */
    static DeliveryQueue of(CredentialDatabase database, DispatcherTables tables, int inlineBytes) {
        return switch (database.dialect()) {
            case POSTGRESQL -> new PostgresDeliveryQueue(database, tables, inlineBytes);
            case SQLITE -> new SqliteDeliveryQueue(database, tables, inlineBytes);
        };
    }

    /** Looks for what is open. Costs by how many endpoints have anything open. */
    Look look(long until);

    /** Claims deliveries that are pending and due, of each endpoint those first that are due for longest. */
    List<ClaimedDelivery> claim(ClaimRequest request);

    /**
     * Claims one delivery at once if it is still as it was seen; its attempts count from one.
     *
     * @return empty when it has changed, or was removed
     */
    List<ClaimedDelivery> claimOne(SeenDelivery seen, Claim claim);

    /**
     * Stores outcomes, each under its claim.
     *
     * @param settlements one for a delivery at most
     * @return the ids of those that were stored; another has taken over the rest
     */
    Set<String> settle(List<Settlement> settlements);

    /**
     * Of outcomes that {@link #settle} did not store this time, those that it had stored before: its answer was lost then.
     */
    Set<String> settledBefore(List<Settlement> settlements);

    /**
     * What is open.
     *
     * @param holdsOpen whether anything waits, due or not, or is under way
     * @param dueAts when the first pending delivery of an endpoint is due, in unix milliseconds; only those due in time
     */
    record Look(boolean holdsOpen, Map<String, Long> dueAts) {

        static Look at(JdbcClient.StatementSpec statement) {
            Map<String, Long> dueAts = new HashMap<>();
            boolean[] holdsOpen = new boolean[1];
            statement.query(row -> {
                String endpointId = row.getString("endpoint_id");
                if (endpointId == null) {
                    holdsOpen[0] = true;
                } else {
                    dueAts.put(endpointId, row.getLong("due_at"));
                }
            });
            return new Look(holdsOpen[0], dueAts);
        }
    }
}
