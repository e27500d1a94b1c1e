/** Registers endpoints, seals their secrets, and knows their current state. */
@NullMarked
package io.credential.webhook.delivery.internal.endpoint;

import org.jspecify.annotations.NullMarked;
