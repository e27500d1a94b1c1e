package io.credential.webhook.delivery.history;

import java.util.List;
import java.util.Optional;

import io.credential.webhook.delivery.Deliveries;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryAttempt;
import io.credential.webhook.delivery.DeliveryQuery;

/** {@link Deliveries} as they are stored. */
final class StoredDeliveries implements Deliveries {

    private final DeliveryReader log;
    private final Redeliverer redelivery;

    StoredDeliveries(DeliveryReader log, Redeliverer redelivery) {
        this.log = log;
        this.redelivery = redelivery;
    }

    @Override
    public List<Delivery> list(DeliveryQuery query) {
        return log.list(query);
    }

    @Override
    public Optional<Delivery> get(String deliveryId) {
        return log.find(deliveryId);
    }

    @Override
    public List<DeliveryAttempt> attempts(String deliveryId) {
        return log.attempts(deliveryId);
    }

    @Override
    public Delivery retry(String deliveryId) {
        return redelivery.retry(deliveryId);
    }
}
