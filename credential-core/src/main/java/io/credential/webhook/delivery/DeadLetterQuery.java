package io.credential.webhook.delivery;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Which dead deliveries are meant. Null asks for nothing.
 *
 * @param endpointId of this endpoint only
 * @param diedSince given up at this time or later
 * @param diedBefore given up before this time
 * @since 0.1.0
 */
public record DeadLetterQuery(
        @Nullable String endpointId,
        @Nullable Instant diedSince,
        @Nullable Instant diedBefore) {

    /** Every dead delivery. */
    public static DeadLetterQuery all() {
        return new DeadLetterQuery(null, null, null);
    }

    /**
     * Every dead delivery of one endpoint.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} when it is null, which would mean all
     */
    public static DeadLetterQuery ofEndpoint(String endpointId) {
        return new DeadLetterQuery(DispatcherRules.require("endpointId", endpointId), null, null);
    }
}
