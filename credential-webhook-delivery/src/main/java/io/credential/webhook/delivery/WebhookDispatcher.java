package io.credential.webhook.delivery;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.seal.ResealResult;
import io.credential.webhook.event.WebhookEventCatalog;

/**
 * Delivers events to the endpoints that subscribe to them. An event is stored before it is sent, and attempted until the
 * endpoint accepts it or no attempts are left. A receiver may get a delivery more than once, with the same delivery id. Methods
 * wait for the database, and for HTTP where stated; while they wait for HTTP, they hold no
 * database connection unless the caller's transaction does. Thread-safe.
 *
 * <p>Every method throws Spring's {@link DataAccessException} or {@link TransactionException} if the database does not
 * answer. Changes of an endpoint join a transaction of the caller on the same DataSource.
 *
 * @since 0.1.0
 */
public interface WebhookDispatcher {

    /** The type of the events of {@link #sendTestEvent(String)}. */
    String TEST_EVENT = "webhook.test";

    /** Creates or updates the tables; does nothing if they are current. Several nodes may call it at the same time. */
    void declareSchema();

    /**
     * Creates an endpoint, or replaces the one with the same id and audience. Attempts then go to the new URL and are signed
     * with the new secret under the kid {@code v1}: on this node immediately, on others a second later at the latest. An old
     * secret no longer signs. A registration with a generated secret keeps the secrets of an endpoint that exists, and its
     * headers if it is {@link EndpointRegistration#keepingHeaders()}. A paused endpoint stays paused.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if a field is missing or out of range,
     *     {@code webhook-dispatcher/unsafe-destination} if webhooks may not be sent to the URL, {@code
     *     webhook-dispatcher/endpoint-conflict} if the id is taken by an endpoint of another audience, or by any if the
     *     registration is {@link EndpointRegistration#createOnly()}, or if the endpoint is changed repeatedly at the same
     *     time, {@code webhook-dispatcher/not-found} if the registration is {@link EndpointRegistration#replaceOnly()} and no
     *     endpoint of the audience has the id, {@code webhook-dispatcher/unreadable-secret} if the endpoint keeps its secret
     *     or its headers, and they cannot be opened
     */
    Endpoint registerEndpoint(EndpointRegistration registration);

    /**
     * Replaces the secret of an endpoint. When this method returns, requests of this node carry a signature with the new
     * secret, under a new kid, and until the overlap ends also one with the old secret; other nodes follow within a second.
     * Attempts that have started before are signed with the old secret only. After another rotation during the overlap, the
     * secret of the first one is the old one, and the one before it no longer signs. With {@link SignatureScheme#GITHUB}, only
     * the old one signs until the overlap ends.
     *
     * @return the endpoint with the new kid, and with the secret if it was generated
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if an argument is null, {@code
     *     webhook-dispatcher/not-found} if no endpoint has this id, {@code webhook-dispatcher/unreadable-secret} if its
     *     current secret cannot be opened, {@code webhook-dispatcher/endpoint-conflict} if the endpoint is changed at the
     *     same time; its secret is then not replaced
     */
    Endpoint rotateSecret(String endpointId, SecretRotation rotation);

    /**
     * Pauses an endpoint: its deliveries stay pending, and are held until it is resumed or removed. When this method returns,
     * this node starts no further attempts; other nodes stop within a second. Running attempts complete. Events are still
     * stored for the endpoint, and {@link Deliveries#retry(String)} still attempts a single delivery. Does nothing if it is paused.
     *
     * @return whether the endpoint exists
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the id is null
     */
    boolean pauseEndpoint(String endpointId);

    /**
     * Resumes a paused endpoint. Its pending deliveries are attempted in the order in which they are due. Does nothing if it
     * is not paused.
     *
     * @return whether the endpoint exists
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the id is null
     */
    boolean resumeEndpoint(String endpointId);

    /**
     * Removes an endpoint. When this method returns, its pending deliveries are dead and this node starts no further
     * attempts; other nodes stop within a second. A running attempt is the last one. Outside a transaction, the deliveries
     * are updated in batches; those that a database failure leaves pending are dead when they become due.
     *
     * @return whether the endpoint existed
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the id is null
     */
    boolean removeEndpoint(String endpointId);

    /**
     * Sends an event of the type {@link #TEST_EVENT} to one endpoint only, whatever it subscribes to, and even if it is
     * paused. The delivery is stored, attempted at once, and retried like any other. Waits for the outcome, at most half a
     * second longer than the request timeout. If this node has no room for an attempt, the delivery is returned as pending.
     * Inside a transaction, the attempt starts after the commit. A delivery to a paused endpoint is held if the attempt
     * fails, if it cannot be made, or inside a transaction.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the id is null, {@code
     *     webhook-dispatcher/not-found} if no endpoint has this id, {@code webhook-dispatcher/foreign-transaction} in a
     *     transaction that is read-only or on another DataSource
     */
    Delivery sendTestEvent(String endpointId);

    /**
     * Like {@link #sendTestEvent(String)}, with an event that the caller chooses, for example {@linkplain
     * WebhookEventCatalog#exampleJson an example} of the catalogue.
     *
     * @param eventType 1 to 255 of {@code [A-Za-z0-9._:-]}, but not {@code .} or {@code ..}
     * @param payload the body: a {@code String} or {@code byte[]} is sent unchanged, anything else as JSON
     * @throws WebhookDispatcherException as for {@link #sendTestEvent(String)}; {@code webhook-dispatcher/bad-opts} also if the
     *     type is out of range or reserved for operational events, or the payload is null or cannot be written as JSON; {@code
     *     webhook-dispatcher/payload-too-large}
     */
    Delivery sendTestEvent(String endpointId, String eventType, Object payload);

    /** Returns all endpoints in the order of their ids, without their secrets and headers. */
    List<Endpoint> listEndpoints();

    /**
     * Returns one page of the endpoints in the order of their ids, without their secrets and headers.
     *
     * @param afterEndpointId the id of the last endpoint of the previous page; null for the first page
     * @param limit how many to return at most, 1 to 1000
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the limit is out of range, or no endpoint can
     *     have this id
     */
    List<Endpoint> listEndpoints(@Nullable String afterEndpointId, int limit);

    /**
     * Returns the endpoint with this id without its secret and headers, or empty if it does not exist.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the id is null
     */
    Optional<Endpoint> getEndpoint(String endpointId);

    /** Calls {@link #dispatch(String, Object, DispatchOptions)} without options. */
    default DispatchResult dispatch(String eventType, Object payload) {
        return dispatch(eventType, payload, DispatchOptions.none());
    }

    /**
     * Stores an event for every endpoint that subscribes to it. Outside a transaction, every delivery is then attempted once,
     * and the result shows the outcomes. It is returned after {@code credential.webhook.dispatcher.dispatch-wait} at the latest;
     * attempts that are still running are shown as in flight. Inside a transaction on the dispatcher's DataSource, the event
     * is stored in that transaction and delivered in the background after it commits. A callback after the commit must
     * dispatch in a new transaction ({@code REQUIRES_NEW}), because the old one has ended.
     *
     * @param eventType 1 to 255 of {@code [A-Za-z0-9._:-]}, but not {@code .} or {@code ..}
     * @param payload the body: a {@code String} or {@code byte[]} is sent unchanged, anything else as JSON
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if an argument is null or out of range,
     *     the payload cannot be written as JSON (a number is {@code NaN}, for example), or an audience is missing
     *     although all dispatches must name one; {@code webhook-dispatcher/audience-required} if no audience is given,
     *     and an endpoint that subscribes to the event has one; {@code webhook-dispatcher/payload-too-large}, {@code
     *     webhook-dispatcher/idempotency-conflict} if the key was used for another event, {@code
     *     webhook-dispatcher/foreign-transaction} in a transaction that is read-only or on another DataSource
     */
    DispatchResult dispatch(String eventType, Object payload, DispatchOptions options);

    /** Calls {@link #enqueue(String, Object, DispatchOptions)} without options. */
    default DispatchResult enqueue(String eventType, Object payload) {
        return enqueue(eventType, payload, DispatchOptions.none());
    }

    /**
     * Like {@link #dispatch(String, Object, DispatchOptions)}, but does not wait for HTTP: the deliveries are attempted in the
     * background.
     *
     * @throws WebhookDispatcherException as for {@code dispatch}
     */
    DispatchResult enqueue(String eventType, Object payload, DispatchOptions options);

    /** Calls {@link #dispatch(Record, DispatchOptions)} without options. */
    default DispatchResult dispatch(Record event) {
        return dispatch(event, DispatchOptions.none());
    }

    /**
     * Like {@link #dispatch(String, Object, DispatchOptions)}, with an event whose type and JSON come from the {@link
     * WebhookEventCatalog}.
     *
     * @throws WebhookDispatcherException as for {@code dispatch}; {@code webhook-dispatcher/bad-opts} also if the catalogue does
     *     not contain the class of the event, or its JSON does not match its schema
     */
    DispatchResult dispatch(Record event, DispatchOptions options);

    /** Calls {@link #enqueue(Record, DispatchOptions)} without options. */
    default DispatchResult enqueue(Record event) {
        return enqueue(event, DispatchOptions.none());
    }

    /**
     * Like {@link #dispatch(Record, DispatchOptions)}, but does not wait for HTTP: the deliveries are attempted in the
     * background.
     *
     * @throws WebhookDispatcherException as for {@code dispatch}
     */
    DispatchResult enqueue(Record event, DispatchOptions options);

    /**
     * Claims due deliveries, up to the batch size and fairly across endpoints, attempts them, and waits for the outcomes.
     * These include deliveries that a crashed node had claimed. Several nodes may call it at the same time. If a rate limit
     * holds a due delivery and this node has just joined others, it also waits for its share of the limit: usually two to three
     * seconds, at most ten.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/foreign-transaction} inside a transaction on the
     *     dispatcher's DataSource
     */
    RetryResult processRetries();

    /**
     * Reseals the secrets and headers of all endpoints with the active key of the keyring.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/unreadable-secret} if one cannot be opened, {@code
     *     webhook-dispatcher/reseal-window-closed} if one has the plain form and the migration window is closed;
     *     nothing is written then; {@code webhook-dispatcher/endpoint-conflict} if one is changed repeatedly at the same
     *     time
     */
    ResealResult resealSecrets();

    /**
     * Returns the endpoints and deliveries of one audience only, for pages that are shown to it.
     *
     * @param audience 1 to 255 of {@code [A-Za-z0-9._:-]}; no endpoint needs to have it yet
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null or out of range
     */
    AudienceWebhooks forAudience(String audience);

    /** Returns the deliveries. */
    Deliveries deliveries();

    /** Returns the dead deliveries. */
    DeadLetters dlq();

    /** Returns how attempts ended in the last 24 hours, and which endpoints fail. */
    DeliveryStatistics statistics();
}
