package io.credential.webhook.delivery;

import java.util.List;

/**
 * What came of a dispatch.
 *
 * @param delivered how many endpoints have accepted the event
 * @param failed how many attempts have failed
 * @param deliveries one for each endpoint that subscribes to the event; unmodifiable
 * @since 0.1.0
 */
public record DispatchResult(int delivered, int failed, List<Delivery> deliveries) {

    /** The list is copied. */
    public DispatchResult {
        deliveries = List.copyOf(deliveries);
    }
}
