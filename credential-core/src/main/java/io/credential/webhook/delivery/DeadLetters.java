package io.credential.webhook.delivery;

import java.util.List;

/**
 * Dead deliveries. They are kept until they are replayed or purged. Thread-safe.
 *
 * @since 0.1.0
 */
public interface DeadLetters {

    /** Returns the 100 that were dispatched last. */
    default List<Delivery> list() {
        return list(DeliveryQuery.DEFAULT_LIMIT);
    }

    /**
     * Returns those that were dispatched last, the newest first.
     *
     * @param limit 1 to 1000
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} when the limit is out of range
     */
    List<Delivery> list(int limit);

    /**
     * Attempts a dead delivery again, like {@link Deliveries#retry}. Of several concurrent calls, one
     * succeeds.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/not-found} when no dead delivery has this id
     */
    Delivery replay(String deliveryId);

    /**
     * Makes all that match pending again; they are attempted in the background.
     *
     * @return how many deliveries matched
     */
    int replayAll(DeadLetterQuery query);

    /**
     * Removes all that match permanently.
     *
     * @return how many deliveries matched
     */
    int purge(DeadLetterQuery query);
}
