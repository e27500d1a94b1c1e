package io.credential.spring.console.internal.endpoint;

import java.util.List;

import io.credential.spring.console.internal.web.Operator;
import io.credential.webhook.delivery.Endpoint;

/**
 * A page of the endpoints.
 *
 * @param operator who sees it
 * @param endpoints in the order of their ids
 * @param isFirst whether no endpoints come before
 * @param hasNext whether more endpoints follow
 */
public record EndpointList(Operator operator, List<Endpoint> endpoints, boolean isFirst, boolean hasNext) {

    private static final int SHOWN_TYPES = 3;

    /** Returns the page of the endpoints, of which one more was read than it shows. */
    static EndpointList of(Operator operator, List<Endpoint> read, int rows, boolean isFirst) {
        boolean hasNext = read.size() > rows;
        return new EndpointList(operator, hasNext ? read.subList(0, rows) : read, isFirst, hasNext);
    }

    /** Returns the id that the next page comes after. */
    public String lastId() {
        return endpoints.get(endpoints.size() - 1).endpointId();
    }

    /** Returns the first event types of an endpoint, and how many more there are. */
    public static String eventTypes(Endpoint endpoint) {
        List<String> types = endpoint.eventTypes();
        if (types.contains("*")) {
            return "all";
        }
        String first = String.join(", ", types.subList(0, Math.min(SHOWN_TYPES, types.size())));
        return types.size() <= SHOWN_TYPES ? first : first + " and " + (types.size() - SHOWN_TYPES) + " more";
    }
}
