package io.credential.webhook.delivery.internal.queue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

import io.credential.storage.internal.CredentialDatabase;

/** Claims and settles row by row under the write lock of the file; each statement is a call within the process. */
final class SqliteDeliveryQueue implements DeliveryQueue {

    private static final String PICK =
            """
            SELECT d.delivery_id
            FROM {deliveries} d
            WHERE d.endpoint_id = :endpointId AND d.delivered_at IS NULL AND d.dead_at IS NULL
              AND d.next_attempt_at >= :dueAt AND d.next_attempt_at <= :now AND %s
              AND %s
            ORDER BY d.next_attempt_at
            LIMIT :limit""".formatted(QueueStatements.IS_WAITING, QueueStatements.isNotPaused(":endpointId"));

    private static final String CLAIM = """
            UPDATE {deliveries}
            SET status = 'in-flight', claimed_at = :now, claim_token = :token, claim_owner = :owner
            WHERE delivery_id = :deliveryId""";

    private static final String CLAIM_ONE = """
            UPDATE {deliveries} AS d
            SET status = 'in-flight', attempts = 0, next_attempt_at = :now, delivered_at = NULL, dead_at = NULL,
                redeliveries = d.redeliveries + 1, takeovers = 0, claimed_at = :now, claim_token = :token, claim_owner = :owner
            WHERE\s""" + SeenDelivery.IS_UNCHANGED;

    private static final String LOAD = "SELECT " + ClaimedDeliveryMapper.COLUMNS_AND_JOINS.formatted("{deliveries}")
            + " WHERE c.delivery_id = :deliveryId";

    private static final String SETTLE = """
            UPDATE {deliveries}
            SET status = :status, attempts = :attempts, next_attempt_at = :nextAttemptAt,
                claimed_at = NULL, claim_owner = NULL, delivered_at = :deliveredAt, dead_at = :deadAt,
                response_status = CASE WHEN :isRelease THEN response_status ELSE :responseStatus END,
                last_error = CASE WHEN :isRelease THEN last_error ELSE :error END,
                last_reason = CASE WHEN :isRelease THEN last_reason ELSE :reason END,
                takeovers = CASE WHEN :isRelease THEN takeovers ELSE 0 END
            WHERE delivery_id = :deliveryId AND claim_token = :token AND claim_owner IS NOT NULL""";

    private static final String FIND_SETTLED = """
            SELECT 1 FROM {deliveries}
            WHERE delivery_id = :deliveryId AND claim_token = :token AND claim_owner IS NULL""";

    private static final String LOG = """
            INSERT INTO {attempts} (delivery_id, claim_token, attempt, started_at, duration, request_headers,
                response_status, phase, reason, error, location, response_headers, response_body)
            VALUES (:deliveryId, :token, :attempts, :startedAt, :duration, :requestHeaders, :responseStatus, :phase,
                :reason, :error, :location, :responseHeaders, :responseBody)""";

    private final CredentialDatabase database;
    private final int inlineBytes;
    private final String scan;
    private final String pick;
    private final String claim;
    private final String findSuspect;
    private final String claimOne;
    private final String load;
    private final String settle;
    private final String findSettled;
    private final String log;

    SqliteDeliveryQueue(CredentialDatabase database, DispatcherTables tables, int inlineBytes) {
        this.database = database;
        this.inlineBytes = inlineBytes;
        this.scan = tables.in(QueueStatements.SCAN);
        this.pick = tables.in(PICK);
        this.claim = tables.in(CLAIM);
        this.findSuspect = tables.in(QueueStatements.FIND_SUSPECT);
        this.claimOne = tables.in(CLAIM_ONE);
        this.load = tables.in(LOAD);
        this.settle = tables.in(SETTLE);
        this.findSettled = tables.in(FIND_SETTLED);
        this.log = tables.in(LOG);
    }

    @Override
    public OpenDeliveries scan(long until) {
        return OpenDeliveries.read(database.jdbc().sql(scan).param("until", until));
    }

    @Override
    public List<ClaimedDelivery> claim(List<Quota> quotas, Claim newClaim) {
        return database.inTransaction(() -> claimPicked(
                quotas.stream().flatMap(quota -> pick(newClaim, quota).stream()).toList(), newClaim));
    }

    @Override
    public List<ClaimedDelivery> claimSuspect(Claim newClaim) {
        return database.inTransaction(() -> claimPicked(
                database.jdbc()
                        .sql(findSuspect)
                        .param("now", newClaim.claimedAt())
                        .query((row, number) -> row.getString(1))
                        .list(),
                newClaim));
    }

    private List<ClaimedDelivery> claimPicked(List<String> ids, Claim newClaim) {
        database.batchUpdate(
                claim,
                ids.stream()
                        .<SqlParameterSource>map(id -> claiming(id, newClaim))
                        .toList());
        ClaimedDeliveryMapper rows = new ClaimedDeliveryMapper(newClaim, false);
        return ids.stream().flatMap(id -> load(id, rows).stream()).toList();
    }

    @Override
    public List<ClaimedDelivery> claimOne(SeenDelivery seen, Claim newClaim) {
        return database.inTransaction(() -> {
            int claimed = database.jdbc()
                    .sql(claimOne)
                    .paramSource(claiming(seen.deliveryId(), newClaim)
                            .addValue("seenStatus", seen.status().text())
                            .addValue("seenRedeliveries", seen.redeliveries()))
                    .update();
            return claimed == 0 ? List.of() : load(seen.deliveryId(), new ClaimedDeliveryMapper(newClaim, true));
        });
    }

    @Override
    public Set<String> settle(List<Settlement> settlements) {
        return database.inTransaction(() -> {
            int[] changed = database.batchUpdate(
                    settle,
                    settlements.stream().map(SqliteDeliveryQueue::outcome).toList());
            List<Settlement> settled = new ArrayList<>();
            for (int i = 0; i < changed.length; i++) {
                if (changed[i] == 1) {
                    settled.add(settlements.get(i));
                }
            }
            database.batchUpdate(
                    log,
                    settled.stream()
                            .filter(Settlement::attempted)
                            .map(SqliteDeliveryQueue::outcome)
                            .toList());
            return settled.stream().map(s -> s.claimed().deliveryId()).collect(Collectors.toCollection(HashSet::new));
        });
    }

    @Override
    public Set<String> settledBefore(List<Settlement> settlements) {
        return settlements.stream()
                .filter(settlement -> !database.jdbc()
                        .sql(findSettled)
                        .param("deliveryId", settlement.claimed().deliveryId())
                        .param("token", settlement.claimed().claim().token())
                        .query(Integer.class)
                        .list()
                        .isEmpty())
                .map(settlement -> settlement.claimed().deliveryId())
                .collect(Collectors.toCollection(HashSet::new));
    }

    private List<String> pick(Claim newClaim, Quota quota) {
        return database.jdbc()
                .sql(pick)
                .param("endpointId", quota.endpointId())
                .param("dueAt", quota.dueAt())
                .param("now", newClaim.claimedAt())
                .param("limit", quota.limit())
                .query((row, number) -> row.getString(1))
                .list();
    }

    private List<ClaimedDelivery> load(String deliveryId, ClaimedDeliveryMapper rows) {
        return database.jdbc()
                .sql(load)
                .param("deliveryId", deliveryId)
                .param("inline", inlineBytes)
                .query(rows)
                .list();
    }

    private static MapSqlParameterSource claiming(String deliveryId, Claim claim) {
        return new MapSqlParameterSource("deliveryId", deliveryId)
                .addValue("now", claim.claimedAt())
                .addValue("token", claim.token())
                .addValue("owner", claim.owner());
    }

    private static SqlParameterSource outcome(Settlement settlement) {
        MapSqlParameterSource parameters = new MapSqlParameterSource(
                        "deliveryId", settlement.claimed().deliveryId())
                .addValue("token", settlement.claimed().claim().token())
                .addValue("status", settlement.status().text())
                .addValue("attempts", settlement.attempts())
                .addValue("nextAttemptAt", settlement.nextAttemptAt())
                .addValue("deliveredAt", settlement.deliveredAt())
                .addValue("deadAt", settlement.deadAt())
                .addValue("responseStatus", settlement.responseStatus())
                .addValue("error", settlement.error())
                .addValue("reason", settlement.lastReasonText())
                .addValue("isRelease", settlement.isRelease());
        AttemptLog log = settlement.log();
        if (log != null) {
            parameters
                    .addValue("startedAt", log.startedAt())
                    .addValue("duration", log.duration())
                    .addValue("requestHeaders", log.requestHeaders())
                    .addValue("phase", log.phase())
                    .addValue("location", log.location())
                    .addValue("responseHeaders", log.responseHeaders())
                    .addValue("responseBody", log.responseBody());
        }
        return parameters;
    }
}
