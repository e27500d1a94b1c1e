package io.credential.webhook.delivery.internal.queue;

/** Statements that are the same for PostgreSQL and SQLite. */
final class QueueStatements {

    /**
     * Selects pending deliveries that are not suspects. PostgreSQL has no statistics for this expression and assumes that it is
     * true. With a plain condition, outdated statistics may say that hardly anything is pending; PostgreSQL then reads and
     * sorts the whole backlog of an endpoint instead of taking the first rows of the index.
     */
    static final String IS_WAITING = "CASE WHEN d.status = 'pending' AND d.takeovers < 2 THEN 1 END IS NOT NULL";

    /**
     * Steps through the index from endpoint to endpoint. If anything is open and not held, the last row has no endpoint. A claim
     * on a delivery of a paused endpoint, whose node has died, is freed with the others.
     */
    static final String SCAN = """
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
            ), first AS MATERIALIZED (
                SELECT o.endpoint_id, (
                    SELECT d.next_attempt_at FROM {deliveries} d
                    WHERE d.endpoint_id = o.endpoint_id AND d.delivered_at IS NULL AND d.dead_at IS NULL
                      AND %s
                    ORDER BY d.next_attempt_at LIMIT 1) AS due_at
                FROM open o WHERE o.endpoint_id IS NOT NULL AND %s
            )
            SELECT first.endpoint_id, first.due_at,
                (SELECT e.rate_limit FROM {endpoints} e WHERE e.endpoint_id = first.endpoint_id) AS rate_limit,
                (SELECT e.rate_window FROM {endpoints} e WHERE e.endpoint_id = first.endpoint_id) AS rate_window
            FROM first WHERE first.due_at <= :until
            UNION ALL
            SELECT NULL, CASE WHEN EXISTS (
                SELECT 1 FROM {deliveries} d
                WHERE d.takeovers >= 2 AND d.delivered_at IS NULL AND d.dead_at IS NULL AND %s) THEN 1 END, NULL, NULL
            WHERE EXISTS (SELECT 1 FROM open o WHERE o.endpoint_id IS NOT NULL AND %s)""".formatted(
            IS_WAITING, isNotPaused("o.endpoint_id"), isNotPaused("d.endpoint_id"), isNotPaused("o.endpoint_id"));

    /** Finds the suspect that has been due for longest. */
    static final String FIND_SUSPECT = """
            SELECT d.delivery_id FROM {deliveries} d
            WHERE d.takeovers >= 2 AND d.delivered_at IS NULL AND d.dead_at IS NULL
              AND d.status = 'pending' AND d.next_attempt_at <= :now AND %s
            ORDER BY d.next_attempt_at LIMIT 1""".formatted(isNotPaused("d.endpoint_id"));

    private QueueStatements() {}

    /**
     * Returns a condition that looks the endpoint up by its id, for each row that it applies to. PostgreSQL cannot turn this
     * form into a join that reads all endpoints, whatever its statistics say.
     */
    static String isNotPaused(String endpointId) {
        return "(SELECT e.paused_at FROM {endpoints} e WHERE e.endpoint_id = %s) IS NULL".formatted(endpointId);
    }
}
