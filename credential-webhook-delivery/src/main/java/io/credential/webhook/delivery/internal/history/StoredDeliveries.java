package io.credential.webhook.delivery.internal.history;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.audit.internal.AuditTrail;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.Deliveries;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryAttempt;
import io.credential.webhook.delivery.DeliveryPage;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.ErasureQuery;
import io.credential.webhook.delivery.ErasureResult;
import io.credential.webhook.delivery.RequestedRetry;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.engine.DeliveryEngine;
import io.credential.webhook.delivery.internal.outbox.CallerTransaction;
import io.credential.webhook.delivery.internal.queue.DispatcherContext;
import io.credential.webhook.delivery.internal.queue.SeenDelivery;

/** Lists stored deliveries and attempts them again on request. */
final class StoredDeliveries implements Deliveries {

    private static final String SEE = "SELECT d.status, d.redeliveries FROM {deliveries} d"
            + " WHERE d.delivery_id = :deliveryId AND " + DeliveryReader.IS_OF_AUDIENCE;

    private final CredentialDatabase database;
    private final CallerTransaction callerTransaction;
    private final String see;
    private final DeliverySearch search;
    private final DeliveryReader reader;
    private final BulkRetries bulkRetries;
    private final RequestedRetries requestedRetries;
    private final PayloadEraser eraser;
    private final DeliveryEngine engine;
    private final AuditTrail audit;
    private final Duration longestWait;

    StoredDeliveries(
            DispatcherContext context,
            DeliveryReader reader,
            BulkRetries bulkRetries,
            PayloadEraser eraser,
            DeliveryEngine engine,
            AuditTrail audit) {
        this.database = context.database();
        this.callerTransaction = new CallerTransaction(database);
        this.see = context.tables().in(SEE);
        this.search = new DeliverySearch(database, context.tables());
        this.longestWait = context.longestAttempt();
        this.reader = reader;
        this.bulkRetries = bulkRetries;
        this.requestedRetries = new RequestedRetries(context, bulkRetries, engine::scanAgain, audit);
        this.eraser = eraser;
        this.engine = engine;
        this.audit = audit;
    }

    @Override
    public DeliveryPage search(DeliveryQuery query) {
        return search.search(query);
    }

    @Override
    public Optional<Delivery> get(String deliveryId) {
        return get(deliveryId, null);
    }

    /** @param audience whose delivery it must be, here and below; null for any */
    Optional<Delivery> get(String deliveryId, @Nullable String audience) {
        return reader.find(deliveryId, audience);
    }

    @Override
    public List<DeliveryAttempt> attempts(String deliveryId) {
        return attempts(deliveryId, null);
    }

    List<DeliveryAttempt> attempts(String deliveryId, @Nullable String audience) {
        return reader.attempts(deliveryId, audience);
    }

    @Override
    public Delivery retry(String deliveryId) {
        return retry(deliveryId, null);
    }

    Delivery retry(String deliveryId, @Nullable String audience) {
        SeenDelivery seen = see(deliveryId, audience).orElseThrow(() -> notFound("No delivery has this id"));
        return redeliver(seen).orElseThrow(() -> refusal(deliveryId));
    }

    @Override
    public List<RequestedRetry> retry(Collection<String> deliveryIds) {
        return retry(deliveryIds, null);
    }

    List<RequestedRetry> retry(Collection<String> deliveryIds, @Nullable String audience) {
        return requestedRetries.retry(deliveryIds, audience);
    }

    @Override
    public Optional<byte[]> payload(String deliveryId) {
        Optional<byte[]> payload = reader.payload(deliveryId);
        if (payload.isPresent()) {
            audit.successReport("webhook.payload.read", deliveryId, Map.of()).run();
        }
        return payload;
    }

    @Override
    public long count(DeliveryQuery query) {
        return bulkRetries.count(query);
    }

    @Override
    public BulkJob retryAll(DeliveryQuery query) {
        return bulkRetries.create(query);
    }

    @Override
    public List<BulkJob> openJobs() {
        return bulkRetries.open();
    }

    @Override
    public Optional<BulkJob> job(String jobId) {
        return bulkRetries.find(jobId);
    }

    @Override
    public BulkJob cancelJob(String jobId) {
        return bulkRetries.cancel(jobId).orElseThrow(() -> notFound("No bulk retry has this id"));
    }

    @Override
    public ErasureResult erasePayloads(ErasureQuery query) {
        return eraser.erase(query);
    }

    /**
     * @throws WebhookDispatcherException {@code webhook-dispatcher/not-found} if it is not dead, or another call has just
     *     replayed it; {@code webhook-dispatcher/payload-erased}
     */
    Delivery replay(String deliveryId) {
        return see(deliveryId, null)
                .filter(seen -> seen.status() == DeliveryStatus.DEAD)
                .flatMap(this::redeliver)
                .orElseThrow(() -> isErased(reader.find(deliveryId))
                        ? erased(deliveryId)
                        : notFound("No dead delivery has this id"));
    }

    private Optional<SeenDelivery> see(String deliveryId, @Nullable String audience) {
        DispatcherRules.require("deliveryId", deliveryId);
        if (!DispatcherRules.isId(deliveryId)) {
            return Optional.empty();
        }
        return database.jdbc()
                .sql(see)
                .param("deliveryId", deliveryId)
                .param("audience", audience)
                .query((row, number) -> new SeenDelivery(
                        deliveryId, DeliveryStatus.ofText(row.getString(1)).orElseThrow(), row.getInt(2)))
                .optional();
    }

    /** Returns empty if the delivery changed since it was read, or is being attempted. */
    private Optional<Delivery> redeliver(SeenDelivery seen) {
        if (callerTransaction.isToBeJoined(false)) {
            return makePending(seen);
        }
        return engine.claimOne(seen).stream().findFirst().map(delivery -> {
            retried(audit, seen).run();
            return engine.awaited().deliverOne(delivery, longestWait);
        });
    }

    private Optional<Delivery> makePending(SeenDelivery seen) {
        if (bulkRetries.makePending(List.of(seen)) == 0) {
            return Optional.empty();
        }
        database.afterCommit(engine::scanAgain);
        database.afterCommit(retried(audit, seen));
        return reader.find(seen.deliveryId());
    }

    /** Returns the report, with the actor of this thread, to be run after the change is committed. */
    static Runnable retried(AuditTrail audit, SeenDelivery seen) {
        return audit.successReport(
                "webhook.delivery.retry",
                seen.deliveryId(),
                Map.of("statusBefore", seen.status().text()));
    }

    private WebhookDispatcherException refusal(String deliveryId) {
        Optional<Delivery> found = reader.find(deliveryId);
        if (isErased(found)) {
            return erased(deliveryId);
        }
        return found.isPresent()
                ? new WebhookDispatcherException(
                        WebhookDispatcherErrorCode.IN_FLIGHT,
                        "The delivery " + deliveryId
                                + " is being attempted, or another call has just retried it; check its status")
                : notFound("No delivery has this id");
    }

    private static boolean isErased(Optional<Delivery> delivery) {
        return delivery.filter(found -> found.payloadErasedAt() != null).isPresent();
    }

    private static WebhookDispatcherException erased(String deliveryId) {
        return new WebhookDispatcherException(
                WebhookDispatcherErrorCode.PAYLOAD_ERASED,
                "The payload of the delivery " + deliveryId + " was erased. Dispatch the event again");
    }

    private static WebhookDispatcherException notFound(String message) {
        return new WebhookDispatcherException(WebhookDispatcherErrorCode.NOT_FOUND, message);
    }
}
