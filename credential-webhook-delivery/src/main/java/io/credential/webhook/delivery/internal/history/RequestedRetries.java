package io.credential.webhook.delivery.internal.history;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.audit.internal.AuditTrail;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.RequestedRetry;
import io.credential.webhook.delivery.RetryOutcome;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.outbox.CallerTransaction;
import io.credential.webhook.delivery.internal.queue.DispatcherContext;
import io.credential.webhook.delivery.internal.queue.SeenDelivery;

/** Makes named deliveries due, in one transaction. Thread-safe. */
final class RequestedRetries {

    private static final int MAX = 100;

    /** In the order of the ids, so that two calls do not wait for each other. */
    private static final String LOCK = """
            SELECT d.delivery_id, d.status, d.redeliveries, d.erased_at FROM {deliveries} d
            WHERE d.delivery_id IN (:deliveryIds) AND %s
            ORDER BY d.delivery_id""".formatted(DeliveryReader.IS_OF_AUDIENCE);

    private final CredentialDatabase database;
    private final CallerTransaction callerTransaction;
    private final BulkRetries bulkRetries;
    private final Runnable onRetried;
    private final AuditTrail audit;
    private final String lock;

    /** @param onRetried called when deliveries became due */
    RequestedRetries(DispatcherContext context, BulkRetries bulkRetries, Runnable onRetried, AuditTrail audit) {
        this.database = context.database();
        this.callerTransaction = new CallerTransaction(database);
        this.bulkRetries = bulkRetries;
        this.onRetried = onRetried;
        this.audit = audit;
        this.lock = context.tables().in(LOCK) + database.dialect().lock();
    }

    private record Found(SeenDelivery seen, boolean isErased) {

        RetryOutcome outcome() {
            if (isErased) {
                return RetryOutcome.PAYLOAD_ERASED;
            }
            return seen.status() == DeliveryStatus.IN_FLIGHT ? RetryOutcome.IN_FLIGHT : RetryOutcome.RETRIED;
        }
    }

    /**
     * Returns the outcome of each id, in their order.
     *
     * @param audience whose deliveries they must be; null for any
     */
    List<RequestedRetry> retry(Collection<String> deliveryIds, @Nullable String audience) {
        List<String> ids = requireIds(deliveryIds);
        boolean joins = callerTransaction.isToBeJoined(false);
        Map<String, RetryOutcome> outcomes = database.inTransaction(() -> {
            if (!joins) {
                database.limitIdleTime();
            }
            return makeDue(ids, audience);
        });
        return ids.stream()
                .map(id -> new RequestedRetry(id, outcomes.getOrDefault(id, RetryOutcome.NOT_FOUND)))
                .toList();
    }

    private static List<String> requireIds(Collection<String> deliveryIds) {
        DispatcherRules.require("deliveryIds", deliveryIds);
        DispatcherRules.requireThat(
                !deliveryIds.isEmpty() && deliveryIds.size() <= MAX,
                "deliveryIds must be 1 to " + MAX + " ids, not " + deliveryIds.size());
        DispatcherRules.requireThat(
                deliveryIds.stream().allMatch(DispatcherRules::isId),
                "each of deliveryIds must be 32 hexadecimal digits in lower case");
        return List.copyOf(deliveryIds);
    }

    private Map<String, RetryOutcome> makeDue(List<String> ids, @Nullable String audience) {
        Map<String, RetryOutcome> outcomes = new HashMap<>();
        List<Found> locked = lock(ids, audience);
        locked.forEach(found -> outcomes.put(found.seen().deliveryId(), found.outcome()));
        List<SeenDelivery> retried = locked.stream()
                .filter(found -> found.outcome() == RetryOutcome.RETRIED)
                .map(Found::seen)
                .toList();
        int changed = bulkRetries.makePending(retried);
        if (changed != retried.size()) {
            throw new IllegalStateException(
                    "Of " + retried.size() + " locked deliveries, only " + changed + " could be made due");
        }
        if (!retried.isEmpty()) {
            database.afterCommit(onRetried);
        }
        retried.forEach(seen -> database.afterCommit(StoredDeliveries.retried(audit, seen)));
        return outcomes;
    }

    private List<Found> lock(List<String> ids, @Nullable String audience) {
        return database.jdbc()
                .sql(lock)
                .param("deliveryIds", ids)
                .param("audience", audience)
                .query((row, index) -> new Found(
                        new SeenDelivery(
                                row.getString(1),
                                DeliveryStatus.ofText(row.getString(2)).orElseThrow(),
                                row.getInt(3)),
                        DeliveryReader.time(row, 4) != null))
                .list();
    }
}
