package io.credential.spring.console.internal.delivery;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.Delivery;

/**
 * A page of the log of deliveries.
 *
 * @param filter what was searched for
 * @param deliveries the newest first
 * @param next the cursor of the next page; null on the last one
 * @param examinedTo the time of dispatch up to which deliveries were compared with the filter; null on the last page
 */
public record DeliveryList(
        DeliveryFilter filter,
        List<Delivery> deliveries,
        @Nullable String next,
        @Nullable Instant examinedTo) {

    /** Returns whether the page ended before it was full, although more deliveries may match. */
    public boolean isCutShort() {
        return next != null && deliveries.size() < DeliveriesSection.ROWS;
    }
}
