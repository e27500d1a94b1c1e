package io.credential.webhook.delivery;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One page of a search.
 *
 * @param deliveries the newest first; a page can be shorter than its limit, or empty, even if more follow
 * @param nextCursor the argument of {@link DeliveryQuery#after(String)} for the next page; null on the last page
 * @since 0.1.0
 */
public record DeliveryPage(
        List<Delivery> deliveries, @Nullable String nextCursor) {

    public DeliveryPage {
        deliveries = List.copyOf(deliveries);
    }
}
