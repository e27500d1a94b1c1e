/** Claims, settles and takes over stored deliveries, and keeps the lease of this node. */
@NullMarked
package io.credential.webhook.delivery.internal.queue;

import org.jspecify.annotations.NullMarked;
