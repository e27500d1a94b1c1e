package io.credential.webhook.delivery;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * Finds and retries deliveries, and erases their payloads. Thread-safe.
 *
 * @since 0.1.0
 */
public interface Deliveries {

    /** Returns the deliveries of the first {@linkplain #search page}, which may be empty although more match. */
    default List<Delivery> list(DeliveryQuery query) {
        return search(query).deliveries();
    }

    /**
     * Returns one page of the deliveries that match, the newest first. The cost of a page is limited: it ends when it is
     * full, or when 5000 deliveries have been compared with the query (2000 if it has an event type); the next page
     * continues from there.
     */
    DeliveryPage search(DeliveryQuery query);

    /** Returns the delivery with this id, or empty if it does not exist or was removed. */
    Optional<Delivery> get(String deliveryId);

    /** Returns up to 1000 attempts of a delivery, the latest first; empty for an unknown id. */
    List<DeliveryAttempt> attempts(String deliveryId);

    /**
     * Attempts a delivery immediately, unless it is in flight; its attempts are counted from zero again. Waits for the outcome,
     * at most half a second longer than the request timeout. Inside a transaction, the attempt starts after the commit. Of
     * several concurrent calls, one succeeds. A delivery to a paused endpoint is held if the attempt fails, if it cannot be
     * made, or inside a transaction.
     *
     * <p>No attempt is made now if the rate limit of the endpoint does not permit it, if the last attempt of the endpoint timed
     * out and the next one has not ended, or if this node is stopped or has as many attempts as it may have. The delivery is
     * then returned as {@code PENDING}, and is attempted in the background.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/not-found}, or {@code webhook-dispatcher/in-flight}
     *     if it is being attempted, or another call has just retried it; {@code webhook-dispatcher/payload-erased} if its
     *     payload was erased; {@code webhook-dispatcher/foreign-transaction} in a transaction that is read-only or on another
     *     DataSource
     */
    Delivery retry(String deliveryId);

    /**
     * Makes up to 100 deliveries due at once, whatever their status, unless they are in flight; their attempts are counted from
     * zero again. They are attempted in the background. All of them become due in one transaction, or in that of the caller.
     * Each is audited like a single retry. Deliveries to a paused endpoint become due but are held.
     *
     * @param deliveryIds 1 to 100 ids of 32 hexadecimal digits
     * @return the outcome of each id, in their order
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the ids are null, too many, none or malformed;
     *     {@code webhook-dispatcher/foreign-transaction} in a transaction that is read-only or on another DataSource
     */
    List<RequestedRetry> retry(Collection<String> deliveryIds);

    /**
     * Returns the payload of a delivery as it is stored, which is at most {@code max-payload-size}; empty if the delivery does not
     * exist, or its payload was erased. Each payload that is returned is audited.
     *
     * @return the bytes, which belong to the caller
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the id is null
     */
    Optional<byte[]> payload(String deliveryId);

    /**
     * Returns how many deliveries {@link #retryAll} would select now; changes nothing. It examines the same rows as a {@link
     * #search} over all pages: without an endpoint, an event or times, up to the whole log, which has no limit. Ends when the
     * thread is interrupted.
     *
     * @param query its limit is ignored
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} as for {@code retryAll}
     * @throws CancellationException if the thread is interrupted
     */
    long count(DeliveryQuery query);

    /**
     * Attempts all matching deliveries again, once each, as a background job that survives restarts and is continued by any
     * node. The job first selects what matches, of the deliveries that were dispatched before it was created, by the clocks of
     * the nodes, are not in flight, and have their payload. It then makes them due; their attempts are counted from zero again.
     * A delivery is skipped if its status has changed since it was selected, or another call has retried it. Deliveries to a
     * paused endpoint become due but are held. Inside a transaction, the job is stored in that transaction and starts after the
     * commit. See {@link #cancelJob}.
     *
     * @param query its limit is ignored
     * @return the new job; see {@link #job}
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the query has a cursor, asks for deliveries in
     *     flight, or has an id or a name that no delivery can have; {@code webhook-dispatcher/foreign-transaction} in a
     *     transaction that is read-only or on another DataSource
     */
    BulkJob retryAll(DeliveryQuery query);

    /** Returns up to 100 jobs that have not finished, the oldest first. */
    List<BulkJob> openJobs();

    /** Returns the job with this id, or empty if it does not exist, or finished longer ago than the retention. */
    Optional<BulkJob> job(String jobId);

    /**
     * Cancels a job that has not finished. Deliveries that it has made due stay due; the others stay as they are. Waits for a
     * node that is working on the job, which is usually done within a second. Does nothing if the job has finished or was
     * cancelled before. Inside a transaction, the job is cancelled when that commits, and no node continues it meanwhile.
     *
     * @return the job as it is then
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the id is null, {@code
     *     webhook-dispatcher/not-found} if no job has this id, {@code webhook-dispatcher/foreign-transaction} in a transaction
     *     that is read-only or on another DataSource
     * @throws IllegalStateException if the row of the job was not written by a node, so that its content must not be audited
     */
    BulkJob cancelJob(String jobId);

    /**
     * Erases the payloads of matching events, with the request headers and responses of all attempts to deliver them. The
     * events, deliveries and attempts stay in the log without them; the deliveries cannot be retried any more. An event with a
     * delivery in flight is skipped, and so is one with a pending delivery, unless the query {@linkplain
     * ErasureQuery#includingPending() includes} it: the pending delivery is then dead.
     *
     * <p>A call examines up to 5000 events. Call again with {@link ErasureQuery#after} until there is no {@link
     * ErasureResult#nextCursor()}. Events are erased in small transactions, unless the caller has one. If a call fails, what it
     * has erased stays erased, and the same call continues. A call that erases something is audited.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the query is null
     */
    ErasureResult erasePayloads(ErasureQuery query);
}
