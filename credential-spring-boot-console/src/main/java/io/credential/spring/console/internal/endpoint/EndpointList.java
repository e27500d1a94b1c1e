package io.credential.spring.console.internal.endpoint;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import io.credential.spring.console.internal.web.Operator;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.EndpointSummary;

/**
 * A page of the endpoints.
 *
 * @param operator who sees it
 * @param endpoints in the order of their ids
 * @param summaries what became of their attempts, by their ids
 * @param isFirst whether no endpoints come before
 * @param hasNext whether more endpoints follow
 */
public record EndpointList(
        Operator operator,
        List<Endpoint> endpoints,
        Map<String, EndpointSummary> summaries,
        boolean isFirst,
        boolean hasNext) {

    private static final int SHOWN_TYPES = 3;

    /** Returns the page of the endpoints, of which one more was read than it shows. */
    static EndpointList of(
            Operator operator,
            List<Endpoint> read,
            int rows,
            boolean isFirst,
            Function<List<String>, Map<String, EndpointSummary>> statistics) {
        boolean hasNext = read.size() > rows;
        List<Endpoint> shown = hasNext ? read.subList(0, rows) : read;
        Map<String, EndpointSummary> summaries =
                statistics.apply(shown.stream().map(Endpoint::endpointId).toList());
        return new EndpointList(operator, shown, summaries, isFirst, hasNext);
    }

    /** Returns what became of the attempts of an endpoint. */
    public EndpointSummary summary(Endpoint endpoint) {
        return Objects.requireNonNull(summaries.get(endpoint.endpointId()));
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
