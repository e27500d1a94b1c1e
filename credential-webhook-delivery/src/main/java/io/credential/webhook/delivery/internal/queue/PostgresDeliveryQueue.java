package io.credential.webhook.delivery.internal.queue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.internal.CredentialDatabase;

/** Claims by one statement, and settles any number of outcomes by one. Nodes skip rows that others have locked. */
final class PostgresDeliveryQueue implements DeliveryQueue {

    /**
     * As a column of a statement: its commit does not wait for the disk, but is visible at once. If the database crashes a
     * moment later, it loses a claim or an outcome, never a delivery; the delivery is then attempted once more.
     */
    private static final String COMMIT_WITHOUT_WAITING = "set_config('synchronous_commit', 'off', true)";

    private static final String READ_CLAIMED =
            """
            RETURNING d.delivery_id, d.event_id, d.endpoint_id, d.audience, d.attempts, d.takeovers,
                    d.next_attempt_at, d.created_at
            )
            SELECT %s,\s""".formatted(COMMIT_WITHOUT_WAITING) + ClaimedDeliveryMapper.COLUMNS_AND_JOINS.formatted("claimed");

    private static final String CLAIM =
            """
            WITH turn AS (
                SELECT * FROM unnest(:endpointIds, :dueAts, :limits) AS t (endpoint_id, due_at, most)
            ), picked AS (
                SELECT due.delivery_id
                FROM turn t CROSS JOIN LATERAL (
                    SELECT d.delivery_id
                    FROM {deliveries} d
                    WHERE d.endpoint_id = t.endpoint_id AND d.delivered_at IS NULL AND d.dead_at IS NULL
                      AND d.next_attempt_at >= t.due_at AND d.next_attempt_at <= :now AND %s
                    ORDER BY d.next_attempt_at
                    LIMIT t.most
                    FOR UPDATE OF d SKIP LOCKED
                ) due
                WHERE %s
            ), claimed AS (
                UPDATE {deliveries} d
                SET status = 'in-flight', claimed_at = :now, claim_token = :token, claim_owner = :owner
                WHERE d.delivery_id = ANY (ARRAY(SELECT delivery_id FROM picked))
            """.formatted(QueueStatements.IS_WAITING, QueueStatements.isNotPaused("t.endpoint_id")) + READ_CLAIMED;

    private static final String CLAIM_ONE = """
            WITH claimed AS (
                UPDATE {deliveries} d
                SET status = 'in-flight', attempts = 0, next_attempt_at = :now, delivered_at = NULL, dead_at = NULL,
                    redeliveries = d.redeliveries + 1, takeovers = 0, claimed_at = :now, claim_token = :token, claim_owner = :owner
                WHERE\s""" + SeenDelivery.IS_UNCHANGED + "\n" + READ_CLAIMED;

    private static final String CLAIM_SUSPECT = """
            WITH claimed AS (
                UPDATE {deliveries} d
                SET status = 'in-flight', claimed_at = :now, claim_token = :token, claim_owner = :owner
                WHERE d.delivery_id = (%s FOR UPDATE SKIP LOCKED)
            """.formatted(QueueStatements.FIND_SUSPECT) + READ_CLAIMED;

    /**
     * The limit removes no row. Without it, PostgreSQL would plan the statement again each time. With it, PostgreSQL expects
     * one row, and would join a batch with itself row by row, so the log is written without a join.
     */
    private static final String SETTLE = """
            WITH outcome AS (
                SELECT * FROM unnest(:ids, :tokens, :statuses, :attempts, :nextAttemptAts, :deliveredAts, :deadAts,
                    :responseStatuses, :errors, :reasons, :releases, :startedAts, :durations, :headers, :phases, :locations,
                    :responseHeaders, :bodies)
                AS o (delivery_id, claim_token, status, attempts, next_attempt_at, delivered_at, dead_at,
                    response_status, error, reason, is_release, started_at, duration, request_headers, phase, location,
                    response_headers, response_body)
                LIMIT :count
            ), settled AS (
                UPDATE {deliveries} d
                SET status = o.status, attempts = o.attempts, next_attempt_at = o.next_attempt_at,
                    claimed_at = NULL, claim_owner = NULL, delivered_at = o.delivered_at, dead_at = o.dead_at,
                    response_status = CASE WHEN o.is_release THEN d.response_status ELSE o.response_status END,
                    last_error = CASE WHEN o.is_release THEN d.last_error ELSE o.error END,
                    last_reason = CASE WHEN o.is_release THEN d.last_reason ELSE o.reason END,
                    takeovers = CASE WHEN o.is_release THEN d.takeovers ELSE 0 END
                FROM outcome o
                WHERE d.delivery_id = o.delivery_id AND d.claim_token = o.claim_token AND d.claim_owner IS NOT NULL
                RETURNING d.delivery_id, o.claim_token, o.attempts, o.started_at, o.duration, o.request_headers,
                    o.response_status, o.phase, o.reason, o.error, o.location, o.response_headers, o.response_body
            ), logged AS (
                INSERT INTO {attempts} (delivery_id, claim_token, attempt, started_at, duration, request_headers,
                    response_status, phase, reason, error, location, response_headers, response_body)
                SELECT delivery_id, claim_token, attempts, started_at, duration, request_headers, response_status, phase,
                    reason, error, location, response_headers, response_body
                FROM settled WHERE started_at IS NOT NULL
            )
            SELECT delivery_id, %s FROM settled""".formatted(COMMIT_WITHOUT_WAITING);

    private static final String FIND_SETTLED = """
            SELECT d.delivery_id
            FROM unnest(:ids, :tokens) AS o (delivery_id, claim_token)
            JOIN {deliveries} d ON d.delivery_id = o.delivery_id
            WHERE d.claim_token = o.claim_token AND d.claim_owner IS NULL""";

    private final CredentialDatabase database;
    private final int inlineBytes;
    private final String scan;
    private final String claim;
    private final String claimSuspect;
    private final String claimOne;
    private final String settle;
    private final String findSettled;

    PostgresDeliveryQueue(CredentialDatabase database, DispatcherTables tables, int inlineBytes) {
        this.database = database;
        this.inlineBytes = inlineBytes;
        this.scan = tables.in(QueueStatements.SCAN);
        this.claim = tables.in(CLAIM);
        this.claimSuspect = tables.in(CLAIM_SUSPECT);
        this.claimOne = tables.in(CLAIM_ONE);
        this.settle = tables.in(SETTLE);
        this.findSettled = tables.in(FIND_SETTLED);
    }

    @Override
    public OpenDeliveries scan(long until) {
        return OpenDeliveries.read(database.jdbc().sql(scan).param("until", until));
    }

    @Override
    public List<ClaimedDelivery> claim(List<Quota> quotas, Claim newClaim) {
        return claiming(claim, newClaim)
                .param("endpointIds", PostgresArray.of("text", quotas, Quota::endpointId))
                .param("dueAts", PostgresArray.of("int8", quotas, Quota::dueAt))
                .param("limits", PostgresArray.of("int4", quotas, Quota::limit))
                .query(new ClaimedDeliveryMapper(newClaim, false))
                .list();
    }

    @Override
    public List<ClaimedDelivery> claimSuspect(Claim newClaim) {
        return claiming(claimSuspect, newClaim)
                .query(new ClaimedDeliveryMapper(newClaim, false))
                .list();
    }

    @Override
    public List<ClaimedDelivery> claimOne(SeenDelivery seen, Claim newClaim) {
        return claiming(claimOne, newClaim)
                .param("deliveryId", seen.deliveryId())
                .param("seenStatus", seen.status().text())
                .param("seenRedeliveries", seen.redeliveries())
                .query(new ClaimedDeliveryMapper(newClaim, true))
                .list();
    }

    @Override
    public Set<String> settle(List<Settlement> settlements) {
        JdbcClient.StatementSpec statement = of(settle, settlements)
                .param("count", settlements.size())
                .param(
                        "statuses",
                        PostgresArray.of("text", settlements, s -> s.status().text()))
                .param("attempts", PostgresArray.of("int4", settlements, Settlement::attempts))
                .param("nextAttemptAts", PostgresArray.of("int8", settlements, Settlement::nextAttemptAt))
                .param("deliveredAts", PostgresArray.of("int8", settlements, Settlement::deliveredAt))
                .param("deadAts", PostgresArray.of("int8", settlements, Settlement::deadAt))
                .param("responseStatuses", PostgresArray.of("int4", settlements, Settlement::responseStatus))
                .param("errors", PostgresArray.of("text", settlements, Settlement::error))
                .param("reasons", PostgresArray.of("text", settlements, Settlement::lastReasonText))
                .param("releases", PostgresArray.of("bool", settlements, Settlement::isRelease))
                .param("startedAts", logs("int8", settlements, AttemptLog::startedAt))
                .param("durations", logs("int8", settlements, AttemptLog::duration))
                .param("headers", logs("text", settlements, AttemptLog::requestHeaders))
                .param("phases", logs("text", settlements, AttemptLog::phase))
                .param("locations", logs("text", settlements, AttemptLog::location))
                .param("responseHeaders", logs("text", settlements, AttemptLog::responseHeaders))
                .param("bodies", logs("text", settlements, AttemptLog::responseBody));
        return ids(statement);
    }

    @Override
    public Set<String> settledBefore(List<Settlement> settlements) {
        return ids(of(findSettled, settlements));
    }

    private JdbcClient.StatementSpec of(String sql, List<Settlement> settlements) {
        return database.jdbc()
                .sql(sql)
                .param(
                        "ids",
                        PostgresArray.of("text", settlements, s -> s.claimed().deliveryId()))
                .param(
                        "tokens",
                        PostgresArray.of(
                                "int8", settlements, s -> s.claimed().claim().token()));
    }

    private static Set<String> ids(JdbcClient.StatementSpec statement) {
        return new HashSet<>(
                statement.query((row, number) -> row.getString("delivery_id")).list());
    }

    private static PostgresArray logs(
            String type, List<Settlement> settlements, Function<AttemptLog, @Nullable Object> value) {
        return PostgresArray.of(type, settlements, s -> s.log() == null ? null : value.apply(s.log()));
    }

    private JdbcClient.StatementSpec claiming(String sql, Claim newClaim) {
        return database.jdbc()
                .sql(sql)
                .param("inline", inlineBytes)
                .param("now", newClaim.claimedAt())
                .param("token", newClaim.token())
                .param("owner", newClaim.owner());
    }
}
