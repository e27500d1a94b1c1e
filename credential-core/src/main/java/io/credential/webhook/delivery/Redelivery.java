package io.credential.webhook.delivery;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

import io.credential.storage.CredentialDatabase;

/** Attempts a delivery once more because somebody asked for it. */
final class Redelivery {

    private static final String MAKE_PENDING = """
            UPDATE {deliveries}
            SET status = 'pending', attempts = 0, next_attempt_at = :now, delivered_at = NULL, dead_at = NULL
            WHERE delivery_id = :deliveryId AND status <> 'in-flight'""";

    private final CredentialDatabase database;
    private final CallerTransaction callerTransaction;
    private final String makePending;
    private final JdbcDeliveryLog deliveries;
    private final DeliveryClaims claims;
    private final InlineAttempts inline;
    private final Wakeup wakeup;
    private final InstantSource clock;

    Redelivery(
            CredentialDatabase database,
            DispatcherTables tables,
            JdbcDeliveryLog deliveries,
            DeliveryClaims claims,
            InlineAttempts inline,
            Wakeup wakeup,
            InstantSource clock) {
        this.database = database;
        this.callerTransaction = new CallerTransaction(database);
        this.makePending = tables.in(MAKE_PENDING);
        this.deliveries = deliveries;
        this.claims = claims;
        this.inline = inline;
        this.wakeup = wakeup;
        this.clock = clock;
    }

    /**
     * @throws WebhookDispatcherException {@code webhook-dispatcher/not-found} or {@code webhook-dispatcher/in-flight}
     */
    Delivery retry(String deliveryId) {
        if (!DispatcherRules.isId(deliveryId)) {
            throw notFound("No delivery has this id");
        }
        if (callerTransaction.isToBeJoined(false)) {
            return makePending(deliveryId);
        }
        List<ClaimedDelivery> claimed = claims.claimOne(deliveryId);
        if (claimed.isEmpty()) {
            throw refusal(deliveryId);
        }
        return inline.attempt(claimed).deliveries().get(0);
    }

    /**
     * @throws WebhookDispatcherException {@code webhook-dispatcher/not-found} when it is not dead
     */
    Delivery replay(String deliveryId) {
        Optional<Delivery> dead =
                deliveries.find(deliveryId).filter(delivery -> delivery.status() == DeliveryStatus.DEAD);
        if (dead.isEmpty()) {
            throw notFound("No dead delivery has this id");
        }
        return retry(deliveryId);
    }

    private Delivery makePending(String deliveryId) {
        int changed = database.jdbc()
                .sql(makePending)
                .param("deliveryId", deliveryId)
                .param("now", clock.millis())
                .update();
        if (changed == 0) {
            throw refusal(deliveryId);
        }
        database.afterCommit(wakeup::now);
        return deliveries.find(deliveryId).orElseThrow(() -> refusal(deliveryId));
    }

    private WebhookDispatcherException refusal(String deliveryId) {
        return deliveries.find(deliveryId).isPresent()
                ? new WebhookDispatcherException(
                        WebhookDispatcherErrorCode.IN_FLIGHT,
                        "The delivery " + deliveryId + " is being attempted at the moment")
                : notFound("No delivery has this id");
    }

    private static WebhookDispatcherException notFound(String message) {
        return new WebhookDispatcherException(WebhookDispatcherErrorCode.NOT_FOUND, message);
    }
}
