package io.credential.webhook.delivery;

/**
 * The state that a delivery was seen in by somebody who wants it to be sent again. Two who saw the same state cannot both
 * have it sent.
 *
 * @param redeliveries how often it was to be sent again before
 */
record SeenDelivery(String deliveryId, DeliveryStatus status, int redeliveries) {

    /** In a statement that changes {@code d}: it is still as it was seen, and not under way. */
    static final String IS_UNCHANGED = """
            d.delivery_id = :deliveryId AND d.status = :seenStatus AND d.redeliveries = :seenRedeliveries
              AND d.status <> 'in-flight'""";
}
