package io.credential.webhook.delivery.history;

import java.time.InstantSource;
import java.util.List;

import io.credential.webhook.delivery.DeadLetterQuery;
import io.credential.webhook.delivery.DeadLetters;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;

/** {@link DeadLetters} as they are stored. */
final class StoredDeadLetters implements DeadLetters {

    private final DeliveryReader log;
    private final DeadLetterEditor batches;
    private final Redeliverer redelivery;
    private final Runnable onPending;
    private final InstantSource clock;

    StoredDeadLetters(
            DeliveryReader log,
            DeadLetterEditor batches,
            Redeliverer redelivery,
            Runnable onPending,
            InstantSource clock) {
        this.log = log;
        this.batches = batches;
        this.redelivery = redelivery;
        this.onPending = onPending;
        this.clock = clock;
    }

    @Override
    public List<Delivery> list(int limit) {
        return log.list(DeliveryQuery.all().withStatus(DeliveryStatus.DEAD).withLimit(limit));
    }

    @Override
    public Delivery replay(String deliveryId) {
        return redelivery.replay(deliveryId);
    }

    @Override
    public int replayAll(DeadLetterQuery query) {
        int replayed = batches.replayAll(query, clock.millis());
        onPending.run();
        return replayed;
    }

    @Override
    public int purge(DeadLetterQuery query) {
        return batches.purge(query);
    }
}
