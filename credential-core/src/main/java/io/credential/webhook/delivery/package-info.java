/**
 * The durable dispatcher: events are stored for every subscribed endpoint, signed, posted, tried again and, in the end,
 * put aside as dead.
 *
 * <p>An event goes from {@link io.credential.webhook.delivery.WebhookDispatcher#dispatch dispatch} through its stored
 * deliveries, a claim, an attempt and the settling of its outcome; each of these is a class of its own.
 */
@NullMarked
package io.credential.webhook.delivery;

import org.jspecify.annotations.NullMarked;
