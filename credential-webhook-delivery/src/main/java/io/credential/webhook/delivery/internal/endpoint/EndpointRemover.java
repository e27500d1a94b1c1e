package io.credential.webhook.delivery.internal.endpoint;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.PessimisticLockingFailureException;

import io.credential.audit.internal.AuditTrail;
import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.queue.DeadDelivery;
import io.credential.webhook.delivery.internal.queue.DeathReporter;
import io.credential.webhook.delivery.internal.queue.DispatcherContext;
import io.credential.webhook.delivery.internal.queue.Settlement;

/** Removes endpoints with their subscriptions, and marks their pending deliveries as dead. Thread-safe. */
public final class EndpointRemover {

    private static final Logger LOG = LoggerFactory.getLogger(EndpointRemover.class);

    private static final int MAX_ATTEMPTS = 5;
    private static final int BATCH = 500;

    static final String UNSUBSCRIBE = "DELETE FROM {subscriptions} WHERE endpoint_id = :endpointId";

    private static final String REMOVE = """
            DELETE FROM {endpoints}
            WHERE endpoint_id = :endpointId AND (CAST(:audience AS TEXT) IS NULL OR audience = :audience)""";

    /**
     * Deliveries in flight are left to their attempts, whose outcomes would otherwise wait for the end of the caller's
     * transaction. If an endpoint was registered under the id meanwhile, pending deliveries go to it.
     */
    private static final String KILL_PENDING = """
            UPDATE {deliveries}
            SET status = 'dead', dead_at = :now, last_error = '%s', last_reason = NULL
            WHERE delivery_id {is_of_batch}
              AND delivered_at IS NULL AND dead_at IS NULL AND status = 'pending'
              AND NOT EXISTS (SELECT 1 FROM {endpoints} WHERE endpoint_id = :endpointId)
            RETURNING delivery_id, attempts, event_id,
                (SELECT v.event_type FROM {events} v WHERE v.event_id = {deliveries}.event_id)""".formatted(Settlement.ENDPOINT_REMOVED);

    private static final String PENDING = """
            SELECT delivery_id FROM {deliveries}
            WHERE endpoint_id = :endpointId AND delivered_at IS NULL AND dead_at IS NULL
              AND CASE WHEN status = 'pending' THEN 1 END IS NOT NULL
            ORDER BY next_attempt_at""";

    /**
     * PostgreSQL has no statistics for the {@code CASE}, assumes that it is true, and does not know the limit. Whatever its
     * statistics say, it therefore takes the first rows of the index, and does not sort the whole backlog for each batch.
     */
    private static final String BATCH_ON_POSTGRESQL = PENDING + " LIMIT (SELECT CAST(:limit AS bigint)) FOR UPDATE";

    /** SQLite has one writer at a time. */
    private static final String BATCH_ON_SQLITE = PENDING + " LIMIT :limit";

    private final DispatcherContext context;
    private final Consumer<String> onChange;
    private final AuditTrail audit;
    private final DeathReporter deaths;
    private final String killPending;

    /** @param onChange called with the id of an endpoint after its removal was committed */
    public EndpointRemover(
            DispatcherContext context, Consumer<String> onChange, AuditTrail audit, DeathReporter deaths) {
        this.context = context;
        this.onChange = onChange;
        this.audit = audit;
        this.deaths = deaths;
        this.killPending = KILL_PENDING.replace(
                "{is_of_batch}",
                context.database()
                        .dialect()
                        .isOneOf(
                                switch (context.database().dialect()) {
                                    case POSTGRESQL -> BATCH_ON_POSTGRESQL;
                                    case SQLITE -> BATCH_ON_SQLITE;
                                }));
    }

    /**
     * Removes an endpoint. Its pending deliveries are marked as dead in batches; running attempts complete, and are not
     * repeated. Deliveries that a database failure leaves pending are dead when they become due.
     *
     * @return whether the endpoint existed
     */
    public boolean remove(String endpointId) {
        return remove(endpointId, null);
    }

    /**
     * Does the same with an endpoint of an audience.
     *
     * @param audience null for any
     */
    public boolean remove(String endpointId, @Nullable String audience) {
        DispatcherRules.require("endpointId", endpointId);
        if (!DispatcherRules.isName(endpointId)
                || !retryOnLockFailure(endpointId, () -> removeEndpoint(endpointId, audience))) {
            return false;
        }
        int dead = 0;
        try {
            int killed;
            do {
                killed = retryOnLockFailure(endpointId, () -> markBatchDead(endpointId));
                dead += killed;
            } while (killed > 0);
        } finally { // the endpoint is removed, even if the rest failed
            context.database()
                    .afterCommit(
                            audit.successReport("webhook.endpoint.remove", endpointId, Map.of("deadDeliveries", dead)));
        }
        return true;
    }

    /**
     * Repeats a step that could not get its locks, because outcomes that are stored meanwhile lock the same rows in another
     * order. In a transaction of the caller, the caller must repeat it.
     */
    private <T> T retryOnLockFailure(String endpointId, Supplier<T> step) {
        for (int attempt = 1; ; attempt++) {
            try {
                return context.database().inTransaction(step);
            } catch (PessimisticLockingFailureException e) {
                if (attempt == MAX_ATTEMPTS || context.database().isInTransaction()) {
                    throw e;
                }
                LOG.debug("Could not lock the rows of endpoint {}; trying to remove it again", endpointId, e);
            }
        }
    }

    private boolean removeEndpoint(String endpointId, @Nullable String audience) {
        boolean removed = context.sql(REMOVE)
                        .param("endpointId", endpointId)
                        .param("audience", audience)
                        .update()
                == 1;
        if (removed) {
            context.sql(UNSUBSCRIBE).param("endpointId", endpointId).update();
            context.database().afterCommit(() -> onChange.accept(endpointId));
        }
        return removed;
    }

    /** Returns how many deliveries were marked as dead; 0 if none is left. */
    private int markBatchDead(String endpointId) {
        long now = context.clock().millis();
        List<DeadDelivery> killed = context.sql(killPending)
                .param("endpointId", endpointId)
                .param("now", now)
                .param("limit", BATCH)
                .query((row, index) -> new DeadDelivery(
                        row.getString(1),
                        row.getString(3),
                        row.getString(4),
                        endpointId,
                        row.getInt(2),
                        DeadReason.ENDPOINT_REMOVED,
                        now))
                .list();
        deaths.died(killed);
        return killed.size();
    }
}
