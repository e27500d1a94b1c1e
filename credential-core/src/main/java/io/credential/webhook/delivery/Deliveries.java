package io.credential.webhook.delivery;

import java.util.List;
import java.util.Optional;

/**
 * Finds and retries deliveries. Thread-safe.
 *
 * @since 0.1.0
 */
public interface Deliveries {

    /** Returns the deliveries of the first {@linkplain #search page}, which may be empty although more match. */
    default List<Delivery> list(DeliveryQuery query) {
        return search(query).deliveries();
    }

    /**
     * Returns one page of the deliveries that match, the newest first. The cost of a page is limited: it ends when it is
     * full, or when 5000 deliveries have been compared with the query; the next page continues from there.
     */
    DeliveryPage search(DeliveryQuery query);

    /** Returns the delivery with this id, or empty if it does not exist or was removed. */
    Optional<Delivery> get(String deliveryId);

    /** Returns up to 1000 attempts of a delivery, the latest first; empty for an unknown id. */
    List<DeliveryAttempt> attempts(String deliveryId);

    /**
     * Attempts a delivery immediately, whatever its status; its attempts are counted from zero again. Waits for the outcome,
     * at most for the request timeout. Inside a transaction, the attempt starts after the commit. Of several concurrent
     * calls, one succeeds.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/not-found}, or {@code webhook-dispatcher/in-flight}
     *     if it is being attempted, or another call has just retried it
     */
    Delivery retry(String deliveryId);
}
