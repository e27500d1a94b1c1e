/** What is stored, and who works on it: reserving, claiming, settling and taking over deliveries, and this node's lease. */
@NullMarked
package io.credential.webhook.delivery.queue;

import org.jspecify.annotations.NullMarked;
