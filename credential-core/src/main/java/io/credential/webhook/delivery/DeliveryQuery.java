package io.credential.webhook.delivery;

import org.jspecify.annotations.Nullable;

/**
 * Selects deliveries to list.
 *
 * @param endpointId the endpoint; null for all
 * @param status the status; null for all
 * @param limit how many to list at most, 1 to 1000
 * @since 0.1.0
 */
public record DeliveryQuery(
        @Nullable String endpointId, @Nullable DeliveryStatus status, int limit) {

    /** The default limit. */
    public static final int DEFAULT_LIMIT = 100;

    /** The largest limit. */
    public static final int MAX_LIMIT = 1000;

    /** @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the limit is out of range */
    public DeliveryQuery {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.BAD_OPTS, "limit must be 1 to " + MAX_LIMIT + ", not " + limit);
        }
    }

    /** Returns a query for the newest 100 deliveries. */
    public static DeliveryQuery all() {
        return new DeliveryQuery(null, null, DEFAULT_LIMIT);
    }

    /**
     * Returns a copy for one endpoint.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null
     */
    public DeliveryQuery withEndpoint(String endpointId) {
        return new DeliveryQuery(DispatcherRules.require("endpointId", endpointId), status, limit);
    }

    /**
     * Returns a copy for one status.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null
     */
    public DeliveryQuery withStatus(DeliveryStatus status) {
        return new DeliveryQuery(endpointId, DispatcherRules.require("status", status), limit);
    }

    /**
     * Returns a copy with another limit.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the limit is out of range
     */
    public DeliveryQuery withLimit(int limit) {
        return new DeliveryQuery(endpointId, status, limit);
    }
}
