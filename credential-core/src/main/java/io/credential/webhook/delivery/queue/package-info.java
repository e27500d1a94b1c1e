/** X. */
@NullMarked
package io.credential.webhook.delivery.queue;

import org.jspecify.annotations.NullMarked;
