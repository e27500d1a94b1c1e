package io.credential.webhook.delivery.history;

import java.util.List;
import java.util.Optional;

import io.credential.webhook.delivery.Deliveries;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryAttempt;
import io.credential.webhook.delivery.DeliveryQuery;

/** {@link Deliveries} as they are stored. */
final class StoredDeliveries implements Deliveries {

    private final DeliveryReader reader;
    private final Redeliverer redeliverer;

    StoredDeliveries(DeliveryReader reader, Redeliverer redeliverer) {
        this.reader = reader;
        this.redeliverer = redeliverer;
    }

    @Override
    public List<Delivery> list(DeliveryQuery query) {
        return reader.list(query);
    }

    @Override
    public Optional<Delivery> get(String deliveryId) {
        return reader.find(deliveryId);
    }

    @Override
    public List<DeliveryAttempt> attempts(String deliveryId) {
        return reader.attempts(deliveryId);
    }

    @Override
    public Delivery retry(String deliveryId) {
        return redeliverer.retry(deliveryId);
    }
}
