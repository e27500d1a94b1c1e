package io.credential.webhook.delivery.queue;

import java.util.List;

/**
 * What is to be claimed.
 *
 * @param claim under which
 * @param turns of which endpoints, and how many
 * @since 0.1.0
 */
public record ClaimRequest(Claim claim, List<Turn> turns) {

    /**
     * An endpoint to be claimed from.
     *
     * @param dueAt none of its deliveries was due before, in unix milliseconds
     * @param limit how many at most
     */
    public record Turn(String endpointId, long dueAt, int limit) {}
}
