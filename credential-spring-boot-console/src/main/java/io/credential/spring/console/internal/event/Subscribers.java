package io.credential.spring.console.internal.event;

import java.util.List;

import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.WebhookDispatcher;

/**
 * The endpoints that are searched for those that subscribe to an event type.
 *
 * @param endpoints the first ones, in the order of their ids
 * @param areAll whether these are all endpoints
 */
public record Subscribers(List<Endpoint> endpoints, boolean areAll) {

    /** How many endpoints are examined at most. */
    public static final int EXAMINED = 1000;

    static Subscribers read(WebhookDispatcher dispatcher) {
        List<Endpoint> first = dispatcher.listEndpoints(null, EXAMINED);
        boolean areAll = first.size() < EXAMINED
                || dispatcher
                        .listEndpoints(first.get(first.size() - 1).endpointId(), 1)
                        .isEmpty();
        return new Subscribers(first, areAll);
    }

    /** Returns the endpoints that subscribe to an event type. */
    public List<Endpoint> to(String eventType) {
        return endpoints.stream()
                .filter(endpoint -> endpoint.subscribesTo(eventType))
                .toList();
    }
}
