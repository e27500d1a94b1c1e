package io.credential.webhook.delivery.internal.queue;

import io.credential.webhook.delivery.DeliveryStatus;

/**
 * The state of a delivery that is to be sent again, as it was read. Of several callers who read the same state, only one
 * can have it sent.
 *
 * @param redeliveries how often it was sent again before
 */
public record SeenDelivery(String deliveryId, DeliveryStatus status, int redeliveries) {

    /** A condition on {@code d}: the delivery has not changed since it was read, is not in flight, and has its payload. */
    public static final String IS_UNCHANGED = """
            d.delivery_id = :deliveryId AND d.status = :seenStatus AND d.redeliveries = :seenRedeliveries
              AND d.status <> 'in-flight' AND d.erased_at IS NULL""";
}
