/** Where deliveries go: the registry of endpoints, their secrets, and what a node knows of them. */
@NullMarked
package io.credential.webhook.delivery.endpoint;

import org.jspecify.annotations.NullMarked;
