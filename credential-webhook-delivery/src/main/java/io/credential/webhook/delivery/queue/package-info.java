/** Claims, settles and takes over stored deliveries, and keeps the lease of this node. */
@NullMarked
package io.credential.webhook.delivery.queue;

import org.jspecify.annotations.NullMarked;
