package io.credential.webhook.delivery;

import java.util.List;

/**
 * Lists, replays and purges dead deliveries, which are kept until they are replayed or purged. Thread-safe.
 *
 * @since 0.1.0
 */
public interface DeadLetters {

    /** Returns the 100 dead deliveries that were dispatched last. */
    default List<Delivery> list() {
        return list(DeliveryQuery.DEFAULT_LIMIT);
    }

    /**
     * Returns the dead deliveries that were dispatched last, the newest first.
     *
     * @param limit 1 to 1000
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the limit is out of range
     */
    List<Delivery> list(int limit);

    /**
     * Returns the dead deliveries by endpoint and reason. Examines the 5000 that were dispatched last; see {@link
     * DeadLetterGroups#complete()}.
     */
    DeadLetterGroups groups();

    /**
     * Attempts a dead delivery again, like {@link Deliveries#retry(String)}. Of several concurrent calls, one succeeds.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/not-found} if no dead delivery has this id, {@code
     *     webhook-dispatcher/payload-erased} if its payload was erased, {@code webhook-dispatcher/foreign-transaction} in a
     *     transaction that is read-only or on another DataSource
     */
    Delivery replay(String deliveryId);

    /**
     * Makes all matching dead deliveries pending again, unless their payload was erased; they are attempted in the background.
     *
     * @return how many deliveries are pending again
     */
    int replayAll(DeadLetterQuery query);

    /**
     * Permanently removes all matching dead deliveries.
     *
     * @return how many deliveries matched
     */
    int purge(DeadLetterQuery query);
}
