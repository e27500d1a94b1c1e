/**
 * The durable dispatcher: events are stored for every subscribed endpoint, signed, posted, tried again and, in the end,
 * put aside as dead.
 *
 * <p>The sub-packages contain the implementation; {@code docs/architecture.md} follows an event through them.
 */
@NullMarked
package io.credential.webhook.delivery;

import org.jspecify.annotations.NullMarked;
