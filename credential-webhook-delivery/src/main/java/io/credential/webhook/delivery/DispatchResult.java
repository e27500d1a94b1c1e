package io.credential.webhook.delivery;

import java.util.List;

/**
 * The result of a dispatch. The numbers count outcomes that the call has waited for: they are 0 if it did not wait, or if an
 * earlier call with the same idempotency key has stored the event, whatever the status of the deliveries.
 *
 * @param delivered how many endpoints have accepted the event
 * @param failed how many deliveries have failed their first attempt, or are dead without one
 * @param deliveries one for each endpoint that subscribes to the event; unmodifiable
 * @since 0.1.0
 */
public record DispatchResult(int delivered, int failed, List<Delivery> deliveries) {

    /** The list is copied. */
    public DispatchResult {
        deliveries = List.copyOf(deliveries);
    }
}
