/** Stores events and their deliveries, alone or in a transaction of the caller. */
@NullMarked
package io.credential.webhook.delivery.internal.outbox;

import org.jspecify.annotations.NullMarked;
