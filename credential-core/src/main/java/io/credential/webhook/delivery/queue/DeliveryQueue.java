package io.credential.webhook.delivery.queue;

import java.util.List;
import java.util.Set;

import io.credential.storage.CredentialDatabase;

/**
 * The deliveries that are due, and what becomes of them. What is claimed by one is claimed by no other; an outcome is
 * stored only under the claim that it belongs to. Thread-safe.
 *
 * @since 0.1.0
 */
public interface DeliveryQueue {

    /** Steps from endpoint to endpoint through the index instead of reading what waits; a last row without one says whether anything is open. */
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
                      AND d.status = 'pending' AND d.takeovers < 2
                    ORDER BY d.next_attempt_at LIMIT 1) AS due_at
                FROM open o WHERE o.endpoint_id IS NOT NULL
            ) first
            WHERE due_at <= :until
            UNION ALL
            SELECT NULL, CASE WHEN EXISTS (
                SELECT 1 FROM {deliveries} d
                WHERE d.takeovers >= 2 AND d.delivered_at IS NULL AND d.dead_at IS NULL) THEN 1 END
            WHERE EXISTS (SELECT 1 FROM open WHERE endpoint_id IS NOT NULL)""";

    /** The suspect that is due for longest. */
    String FIND_SUSPECT = """
            SELECT d.delivery_id FROM {deliveries} d
            WHERE d.takeovers >= 2 AND d.delivered_at IS NULL AND d.dead_at IS NULL
              AND d.status = 'pending' AND d.next_attempt_at <= :now
            ORDER BY d.next_attempt_at LIMIT 1""";

    /** @param inlineBytes claims come with payloads of up to so many bytes, and without larger ones */
    static DeliveryQueue of(CredentialDatabase database, DispatcherTables tables, int inlineBytes) {
        return switch (database.dialect()) {
            case POSTGRESQL -> new PostgresDeliveryQueue(database, tables, inlineBytes);
            case SQLITE -> new SqliteDeliveryQueue(database, tables, inlineBytes);
        };
    }

    /** Looks for what is open. Costs by how many endpoints have anything open. */
    OpenDeliveries look(long until);

    /** Claims deliveries that are pending and due, of each endpoint the oldest first; no suspects. */
    List<ClaimedDelivery> claim(ClaimRequest request);

    /** Claims one suspect that is due, if there is any: a delivery that was in flight when two nodes in a row died. */
    List<ClaimedDelivery> claimSuspect(Claim claim);

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
}
