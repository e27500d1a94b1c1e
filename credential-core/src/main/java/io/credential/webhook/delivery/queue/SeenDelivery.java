package io.credential.webhook.delivery.queue;

import io.credential.webhook.delivery.DeliveryStatus;

/**
 * The state that a delivery was seen in by somebody who wants it to be sent again. Two who saw the same state cannot both
 * have it sent.
 *
 * @param redeliveries how often it was to be sent again before
 * @since 0.1.0
 */
public record SeenDelivery(String deliveryId, DeliveryStatus status, int redeliveries) {

    /** In a statement that changes {@code d}: it is still as it was seen, and not under way. */
    public static final String IS_UNCHANGED = """
            d.delivery_id = :deliveryId AND d.status = :seenStatus AND d.redeliveries = :seenRedeliveries
              AND d.status <> 'in-flight'""";
}
