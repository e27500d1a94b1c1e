package io.credential.webhook.delivery;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.internal.DispatcherRules;

/**
 * Selects dead deliveries. A null component selects all.
 *
 * @param endpointId the endpoint
 * @param diedSince the earliest time at which they became dead, inclusive
 * @param diedBefore the latest time at which they became dead, exclusive
 * @since 0.1.0
 */
public record DeadLetterQuery(
        @Nullable String endpointId,
        @Nullable Instant diedSince,
        @Nullable Instant diedBefore) {

    /** Returns a query for all dead deliveries. */
    public static DeadLetterQuery all() {
        return new DeadLetterQuery(null, null, null);
    }

    /**
     * Returns a query for the dead deliveries of one endpoint.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null, which would select all
     */
    public static DeadLetterQuery ofEndpoint(String endpointId) {
        return new DeadLetterQuery(DispatcherRules.require("endpointId", endpointId), null, null);
    }
}
