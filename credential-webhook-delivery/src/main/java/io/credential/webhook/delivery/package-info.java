/**
 * The durable dispatcher: it stores events for every subscribed endpoint, signs and posts them, retries failed attempts,
 * and finally marks deliveries as dead.
 *
 * <p>The sub-packages of {@code internal} contain the implementation; {@code docs/architecture.md} follows an event through them.
 */
@NullMarked
package io.credential.webhook.delivery;

import org.jspecify.annotations.NullMarked;
