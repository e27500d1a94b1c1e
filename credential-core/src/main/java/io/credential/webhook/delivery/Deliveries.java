package io.credential.webhook.delivery;

import java.util.List;
import java.util.Optional;

/**
 * What was dispatched, delivery by delivery. Thread-safe.
 *
 * @since 0.1.0
 */
public interface Deliveries {

    /** The newest first. */
    List<Delivery> list(DeliveryQuery query);

    /** Returns a delivery; empty when there is none of this id, or it was removed. */
    Optional<Delivery> get(String deliveryId);

    /** What was tried for a delivery, the latest first, at most 1000; empty for an unknown id. */
    List<DeliveryAttempt> attempts(String deliveryId);

    /**
     * Attempts a delivery immediately, whatever its status; its attempts count from zero again. Waits for the
     * outcome, the request time-out at the longest; inside a transaction the attempt begins after commit. Of several calls
     * at once, one has it sent.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/not-found}, or {@code webhook-dispatcher/in-flight}
     *     when it is being attempted, or another call has just had it sent
     */
    Delivery retry(String deliveryId);
}
