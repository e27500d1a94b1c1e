package io.credential.webhook.delivery.internal.history;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryAttempt;
import io.credential.webhook.delivery.DeliveryPage;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.RequestedRetry;

/** The deliveries of one audience, without what must not be shown to it. Thread-safe. */
public final class AudienceDeliveries {

    private final StoredDeliveries deliveries;
    private final String audience;

    AudienceDeliveries(StoredDeliveries deliveries, String audience) {
        this.deliveries = deliveries;
        this.audience = audience;
    }

    /** Returns a page whose cursor can be the id of a delivery of another audience. */
    public DeliveryPage search(DeliveryQuery query) {
        DeliveryPage page = deliveries.search(query.withAudience(audience));
        return new DeliveryPage(
                page.deliveries().stream().map(AudienceDeliveries::shown).toList(), page.nextCursor());
    }

    public Optional<Delivery> get(String deliveryId) {
        return deliveries.get(deliveryId, audience).map(AudienceDeliveries::shown);
    }

    public List<DeliveryAttempt> attempts(String deliveryId) {
        return deliveries.attempts(deliveryId, audience).stream()
                .map(AudienceDeliveries::shown)
                .toList();
    }

    public Delivery retry(String deliveryId) {
        return shown(deliveries.retry(deliveryId, audience));
    }

    public List<RequestedRetry> retry(Collection<String> deliveryIds) {
        return deliveries.retry(deliveryIds, audience);
    }

    /** Returns a delivery without the reason of its last failure. */
    public static Delivery shown(Delivery delivery) {
        return new Delivery(
                delivery.deliveryId(),
                delivery.eventId(),
                delivery.endpointId(),
                delivery.eventType(),
                delivery.status(),
                delivery.attempts(),
                delivery.nextAttemptAt(),
                delivery.claimedAt(),
                delivery.deliveredAt(),
                delivery.responseStatus(),
                delivery.lastError(),
                null,
                delivery.createdAt(),
                delivery.payloadErasedAt());
    }

    private static DeliveryAttempt shown(DeliveryAttempt attempt) {
        return new DeliveryAttempt(
                attempt.attempt(),
                attempt.startedAt(),
                attempt.duration(),
                attempt.requestHeaders(),
                attempt.responseStatus(),
                attempt.phase(),
                null,
                attempt.error(),
                null,
                attempt.responseHeaders(),
                attempt.responseBody());
    }
}
