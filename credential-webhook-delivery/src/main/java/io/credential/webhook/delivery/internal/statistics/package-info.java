/** Counts attempts by endpoint, event type and hour, and keeps the last outcomes of each endpoint. */
@NullMarked
package io.credential.webhook.delivery.internal.statistics;

import org.jspecify.annotations.NullMarked;
