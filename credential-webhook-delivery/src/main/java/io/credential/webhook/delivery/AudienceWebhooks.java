package io.credential.webhook.delivery;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The endpoints and deliveries of one audience, for pages that are shown to it. The id of an endpoint or a delivery of another
 * audience, or of none, is treated like an unknown one. Cursors are sealed for the audience. Deliveries and attempts are shown
 * without {@link Delivery#lastReason()}, {@link DeliveryAttempt#reason()} and {@link DeliveryAttempt#location()}. Thread-safe.
 *
 * <p>Methods throw, join transactions and wait as those of {@link WebhookDispatcher} and {@link Deliveries} with the same names.
 *
 * @since 0.1.0
 */
public interface AudienceWebhooks {

    /** Returns the audience. */
    String audience();

    /**
     * Returns one page of the endpoints in the order of their ids, without their secrets and headers.
     *
     * @param cursor the {@link EndpointPage#nextCursor()} of the previous page; null for the first page
     * @param limit how many to return at most, 1 to 1000
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the limit is out of range, or the cursor is not
     *     that of a page of endpoints of this audience
     */
    EndpointPage listEndpoints(@Nullable String cursor, int limit);

    /**
     * Returns the endpoint with this id without its secret and headers, or empty if it does not exist.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the id is null
     */
    Optional<Endpoint> getEndpoint(String endpointId);

    /**
     * Creates or replaces an endpoint of this audience, whichever audience the registration names.
     *
     * @throws WebhookDispatcherException as for {@link WebhookDispatcher#registerEndpoint}
     */
    Endpoint registerEndpoint(EndpointRegistration registration);

    /**
     * Replaces the secret of an endpoint.
     *
     * @throws WebhookDispatcherException as for {@link WebhookDispatcher#rotateSecret}
     */
    Endpoint rotateSecret(String endpointId, SecretRotation rotation);

    /**
     * Pauses an endpoint.
     *
     * @return whether the endpoint exists
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the id is null
     */
    boolean pauseEndpoint(String endpointId);

    /**
     * Resumes an endpoint.
     *
     * @return whether the endpoint exists
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the id is null
     */
    boolean resumeEndpoint(String endpointId);

    /**
     * Removes an endpoint.
     *
     * @return whether the endpoint existed
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the id is null
     */
    boolean removeEndpoint(String endpointId);

    /**
     * Sends a test event to an endpoint, and waits for the outcome.
     *
     * @throws WebhookDispatcherException as for {@link WebhookDispatcher#sendTestEvent(String)}
     */
    Delivery sendTestEvent(String endpointId);

    /**
     * Returns one page of the deliveries that match, the newest first. A page can be short or empty although more follow:
     * continue while a page has a next cursor. If the query names an endpoint, it must be registered.
     *
     * @param query without an audience, a reason and a cursor
     * @param cursor the {@link DeliveryPage#nextCursor()} of the previous page of this method; null for the first page
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the query is null or has one of these, or the
     *     cursor is not that of a page of deliveries of this audience
     */
    DeliveryPage searchDeliveries(DeliveryQuery query, @Nullable String cursor);

    /**
     * Returns the delivery with this id, or empty if it does not exist or was removed.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the id is null
     */
    Optional<Delivery> getDelivery(String deliveryId);

    /**
     * Returns up to 1000 attempts of a delivery, the latest first; empty for an unknown id.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the id is null
     */
    List<DeliveryAttempt> attempts(String deliveryId);

    /**
     * Attempts a delivery immediately.
     *
     * @throws WebhookDispatcherException as for {@link Deliveries#retry(String)}
     */
    Delivery retry(String deliveryId);

    /**
     * Makes up to 100 deliveries due at once.
     *
     * @throws WebhookDispatcherException as for {@link Deliveries#retry(Collection)}
     */
    List<RequestedRetry> retry(Collection<String> deliveryIds);
}
