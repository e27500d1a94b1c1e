package io.credential.webhook.delivery;

import org.jspecify.annotations.Nullable;

/**
 * Which deliveries to list. Null asks for nothing.
 *
 * @param endpointId of this endpoint only
 * @param status in this status only
 * @param limit how many at most, 1 to 1000
 * @since 0.1.0
 */
public record DeliveryQuery(
        @Nullable String endpointId, @Nullable DeliveryStatus status, int limit) {

    /** How many are listed unless a limit says otherwise. */
    public static final int DEFAULT_LIMIT = 100;

    /** How many are listed at most. */
    public static final int MAX_LIMIT = 1000;

    /**
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} when the limit is out of range
     */
    public DeliveryQuery {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.BAD_OPTS, "limit must be 1 to " + MAX_LIMIT + ", not " + limit);
        }
    }

    /** The newest 100 deliveries. */
    public static DeliveryQuery all() {
        return new DeliveryQuery(null, null, DEFAULT_LIMIT);
    }

    /**
     * The same for one endpoint.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} when it is null
     */
    public DeliveryQuery withEndpoint(String endpointId) {
        return new DeliveryQuery(DispatcherRules.require("endpointId", endpointId), status, limit);
    }

    /**
     * The same for one status.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} when it is null
     */
    public DeliveryQuery withStatus(DeliveryStatus status) {
        return new DeliveryQuery(endpointId, DispatcherRules.require("status", status), limit);
    }

    /**
     * The same with another limit.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} when the limit is out of range
     */
    public DeliveryQuery withLimit(int limit) {
        return new DeliveryQuery(endpointId, status, limit);
    }
}
