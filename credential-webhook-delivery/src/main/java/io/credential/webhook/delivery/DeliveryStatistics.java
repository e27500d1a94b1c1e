package io.credential.webhook.delivery;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Returns what became of attempts in the last 24 hours, by hours in UTC, when each endpoint last accepted a webhook, and since
 * when it fails. Thread-safe.
 *
 * <p>An attempt is counted on the node that made it, when its outcome is stored, in the hour in which it ended by the clock of
 * that node. Nodes count in memory and write their counts every five seconds and when they stop, so results lag by that time.
 * A node that crashes loses the counts of that time; the deliveries themselves are not affected. Deliveries that died without
 * being claimed, because their endpoint was removed or their payload erased, are not counted.
 *
 * <p>Each node counts at most 10,000 combinations of endpoint, event type and hour between two writes. Further attempts are
 * counted for their endpoint under the empty event type, for up to 10,000 endpoints, and beyond that only in {@link #lastDay()}.
 *
 * <p>Every method throws Spring's {@link org.springframework.dao.DataAccessException} if the database does not answer.
 *
 * @since 0.1.0
 */
public interface DeliveryStatistics {

    /** How many endpoints {@link #ofEndpoints} accepts at most. */
    int MAX_ENDPOINTS = 1000;

    /**
     * Returns the attempts of all nodes for all endpoints, including endpoints that were removed meanwhile.
     *
     * @return 24 hours, the oldest first and the current one last, including those without attempts
     */
    List<HourlyAttempts> lastDay();

    /**
     * Returns the statistics of one endpoint.
     *
     * @return without times and attempts if no endpoint has this id
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the id is null
     */
    EndpointStatistics ofEndpoint(String endpointId);

    /**
     * Returns summaries of several endpoints, for example of those on one page of a list.
     *
     * @param endpointIds at most 1000
     * @return by the id of the endpoint, in the given order; without times and attempts if no endpoint has the id
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the ids, or one of them, are null, or if there
     *     are too many
     */
    Map<String, EndpointSummary> ofEndpoints(Collection<String> endpointIds);
}
