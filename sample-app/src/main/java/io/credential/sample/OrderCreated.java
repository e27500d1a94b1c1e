package io.credential.sample;

import java.util.Objects;

import io.credential.webhook.event.WebhookEvent;

/**
 * The event of a new order.
 *
 * @param createdAt in unix milliseconds
 */
@WebhookEvent(value = "order.created", description = "An order was placed.")
record OrderCreated(String id, String item, long createdAt) {

    static OrderCreated of(Order saved) {
        return new OrderCreated(Objects.requireNonNull(saved.id()), saved.item(), saved.createdAt());
    }
}
