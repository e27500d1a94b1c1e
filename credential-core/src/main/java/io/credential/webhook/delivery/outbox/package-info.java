/** X. */
@NullMarked
package io.credential.webhook.delivery.outbox;

import org.jspecify.annotations.NullMarked;
