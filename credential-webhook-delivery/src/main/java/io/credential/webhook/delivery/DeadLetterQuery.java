package io.credential.webhook.delivery;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.http.FailureReason;

/**
 * Selects dead deliveries. A null component selects all.
 *
 * @param endpointId the endpoint
 * @param diedSince the earliest time at which they became dead, inclusive
 * @param diedBefore the latest time at which they became dead, exclusive
 * @param reason why the last attempt failed
 * @param noReason whether only those without a reason match, which became dead without another attempt
 * @since 0.1.0
 */
public record DeadLetterQuery(
        @Nullable String endpointId,
        @Nullable Instant diedSince,
        @Nullable Instant diedBefore,
        @Nullable FailureReason reason,
        boolean noReason) {

    /** @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if a reason is combined with {@code noReason} */
    public DeadLetterQuery {
        DispatcherRules.requireThat(
                reason == null || !noReason, "reason and noReason must not be combined; use one of them");
    }

    /** Returns a query for all dead deliveries. */
    public static DeadLetterQuery all() {
        return new DeadLetterQuery(null, null, null, null, false);
    }

    /**
     * Returns a query for the dead deliveries of one endpoint.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null, which would select all
     */
    public static DeadLetterQuery ofEndpoint(String endpointId) {
        return new DeadLetterQuery(DispatcherRules.require("endpointId", endpointId), null, null, null, false);
    }

    /**
     * Returns a copy for one reason of the last failed attempt.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null
     */
    public DeadLetterQuery withReason(FailureReason reason) {
        return new DeadLetterQuery(endpointId, diedSince, diedBefore, DispatcherRules.require("reason", reason), false);
    }

    /**
     * Returns a copy for deliveries that became dead before a time.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null
     */
    public DeadLetterQuery withDiedBefore(Instant before) {
        return new DeadLetterQuery(
                endpointId, diedSince, DispatcherRules.require("diedBefore", before), reason, noReason);
    }

    /** Returns a copy for deliveries without a reason, which became dead without another attempt. */
    public DeadLetterQuery withoutReason() {
        return new DeadLetterQuery(endpointId, diedSince, diedBefore, null, true);
    }
}
