/** Registers endpoints, seals their secrets, and knows their current state. */
@NullMarked
package io.credential.webhook.delivery.endpoint;

import org.jspecify.annotations.NullMarked;
