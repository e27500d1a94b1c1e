package io.credential.webhook.delivery.internal.queue;

import java.time.Instant;

import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.internal.OperationalEvent;

/**
 * A delivery that has become dead.
 *
 * @param deadAt in Unix milliseconds
 */
public record DeadDelivery(
        String deliveryId,
        String eventId,
        String eventType,
        String endpointId,
        int attempts,
        DeadReason reason,
        long deadAt) {

    OperationalEvent event() {
        return OperationalEvent.deliveryDead(
                deliveryId, eventId, eventType, endpointId, attempts, reason, Instant.ofEpochMilli(deadAt));
    }
}
