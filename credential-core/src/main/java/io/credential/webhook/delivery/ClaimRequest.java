package io.credential.webhook.delivery;

import java.util.Map;

/**
 * What is to be claimed.
 *
 * @param claim under which
 * @param limit how many at most, and how many endpoints are looked at
 * @param perEndpoint how many of an endpoint that {@code free} does not name
 * @param free how many of these endpoints, 0 for none
 * @param afterEndpoint the endpoint behind which to begin, so that all get their turn
 */
record ClaimRequest(Claim claim, int limit, int perEndpoint, Map<String, Integer> free, String afterEndpoint) {

    /** How many of an endpoint may be claimed. */
    int freeOf(String endpointId) {
        return free.getOrDefault(endpointId, perEndpoint);
    }
}
