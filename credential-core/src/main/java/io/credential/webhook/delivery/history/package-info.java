/** What became of deliveries: listing, sending again, dead letters, retention. */
@NullMarked
package io.credential.webhook.delivery.history;

import org.jspecify.annotations.NullMarked;
