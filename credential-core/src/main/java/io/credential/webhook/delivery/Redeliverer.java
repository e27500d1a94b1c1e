package io.credential.webhook.delivery;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

import io.credential.storage.CredentialDatabase;

/** Attempts a delivery once more because somebody asked for it. */
final class Redeliverer {

    private static final String SEE = "SELECT status, redeliveries FROM {deliveries} WHERE delivery_id = :deliveryId";

    private static final String MAKE_PENDING = """
            UPDATE {deliveries} AS d
            SET status = 'pending', attempts = 0, next_attempt_at = :now, delivered_at = NULL, dead_at = NULL,
                redeliveries = d.redeliveries + 1, takeovers = 0
            WHERE\s""" + SeenDelivery.IS_UNCHANGED;

    private final CredentialDatabase database;
    private final CallerTransaction callerTransaction;
    private final String see;
    private final String makePending;
    private final DeliveryReader deliveries;
    private final DeliveryClaimer claims;
    private final AwaitedAttempts inline;
    private final Runnable onPending;
    private final InstantSource clock;
    private final Duration longestWait;

    /**
     * @param onPending told when a delivery waits for the background work, and that is committed
     * @param longestWait how long to wait for the outcome of an attempt
     */
    Redeliverer(
            CredentialDatabase database,
            DispatcherTables tables,
            DeliveryReader deliveries,
            DeliveryClaimer claims,
            AwaitedAttempts inline,
            Runnable onPending,
            InstantSource clock,
            Duration longestWait) {
        this.database = database;
        this.callerTransaction = new CallerTransaction(database);
        this.see = tables.in(SEE);
        this.makePending = tables.in(MAKE_PENDING);
        this.deliveries = deliveries;
        this.claims = claims;
        this.inline = inline;
        this.onPending = onPending;
        this.clock = clock;
        this.longestWait = longestWait;
    }

    /**
     * Sends a delivery again. Of several callers who saw it in the same state, one does.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/not-found} or {@code webhook-dispatcher/in-flight}
     */
    Delivery retry(String deliveryId) {
        SeenDelivery seen = see(deliveryId).orElseThrow(() -> notFound("No delivery has this id"));
        return redeliver(seen).orElseThrow(() -> refusal(deliveryId));
    }

    /**
     * @throws WebhookDispatcherException {@code webhook-dispatcher/not-found} when it is not dead, or another call has
     *     replayed it at the same moment
     */
    Delivery replay(String deliveryId) {
        return see(deliveryId)
                .filter(seen -> seen.status() == DeliveryStatus.DEAD)
                .flatMap(this::redeliver)
                .orElseThrow(() -> notFound("No dead delivery has this id"));
    }

    private Optional<SeenDelivery> see(String deliveryId) {
        DispatcherRules.require("deliveryId", deliveryId);
        if (!DispatcherRules.isId(deliveryId)) {
            return Optional.empty();
        }
        return database.jdbc()
                .sql(see)
                .param("deliveryId", deliveryId)
                .query((row, number) -> new SeenDelivery(
                        deliveryId, DeliveryStatus.ofText(row.getString(1)).orElseThrow(), row.getInt(2)))
                .optional();
    }

    /** Empty when it is not as it was seen, or was under way. */
    private Optional<Delivery> redeliver(SeenDelivery seen) {
        if (callerTransaction.isToBeJoined(false)) {
            return makePending(seen);
        }
        List<ClaimedDelivery> claimed = claims.claimOne(seen);
        return claimed.stream().findFirst().map(delivery -> inline.attempt(delivery, longestWait));
    }

    private Optional<Delivery> makePending(SeenDelivery seen) {
        int changed = database.jdbc()
                .sql(makePending)
                .param("deliveryId", seen.deliveryId())
                .param("seenStatus", seen.status().text())
                .param("seenRedeliveries", seen.redeliveries())
                .param("now", clock.millis())
                .update();
        if (changed == 0) {
            return Optional.empty();
        }
        database.afterCommit(onPending);
        return deliveries.find(seen.deliveryId());
    }

    private WebhookDispatcherException refusal(String deliveryId) {
        return deliveries.find(deliveryId).isPresent()
                ? new WebhookDispatcherException(
                        WebhookDispatcherErrorCode.IN_FLIGHT,
                        "The delivery " + deliveryId
                                + " is being attempted, or another call has just retried it; check its status")
                : notFound("No delivery has this id");
    }

    private static WebhookDispatcherException notFound(String message) {
        return new WebhookDispatcherException(WebhookDispatcherErrorCode.NOT_FOUND, message);
    }
}
