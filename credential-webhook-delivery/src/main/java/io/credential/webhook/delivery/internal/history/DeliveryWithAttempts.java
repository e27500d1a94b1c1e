package io.credential.webhook.delivery.internal.history;

import java.util.List;

import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryAttempt;

/**
 * A delivery with its latest attempts.
 *
 * @param attempts the latest first
 */
public record DeliveryWithAttempts(Delivery delivery, List<DeliveryAttempt> attempts) {

    public DeliveryWithAttempts {
        attempts = List.copyOf(attempts);
    }
}
