package io.credential.webhook.delivery.internal;

import java.util.List;
import java.util.Optional;

import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.internal.history.DeliveryWithAttempts;

/** Queries for operators' pages that the public API does not offer, each in one statement. Thread-safe. */
public final class JdbcWebhookDispatcherViews {

    private final JdbcWebhookDispatcherParts parts;

    JdbcWebhookDispatcherViews(JdbcWebhookDispatcherParts parts) {
        this.parts = parts;
    }

    /**
     * Returns the endpoints that were paused last, the latest first, without their secrets and headers.
     *
     * @param limit how many to return at most, 1 to 1000
     */
    public List<Endpoint> pausedEndpoints(int limit) {
        return parts.endpoints.reader.paused(limit);
    }

    /**
     * Returns how many deliveries to an endpoint are pending or in flight.
     *
     * @param most where counting stops
     */
    public int openDeliveries(String endpointId, int most) {
        DispatcherRules.require("endpointId", endpointId);
        return parts.engine.openOf(endpointId, most);
    }

    /**
     * Returns a delivery with its latest attempts; empty for an unknown delivery.
     *
     * @param attempts the largest number of attempts
     */
    public Optional<DeliveryWithAttempts> delivery(String deliveryId, int attempts) {
        return parts.history.withAttempts(deliveryId, attempts);
    }
}
