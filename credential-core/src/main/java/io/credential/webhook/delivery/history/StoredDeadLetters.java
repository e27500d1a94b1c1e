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

    private final DeliveryReader reader;
    private final DeadLetterEditor editor;
    private final StoredDeliveries deliveries;
    private final Runnable onPending;
    private final InstantSource clock;

    StoredDeadLetters(
            DeliveryReader reader,
            DeadLetterEditor editor,
            StoredDeliveries deliveries,
            Runnable onPending,
            InstantSource clock) {
        this.reader = reader;
        this.editor = editor;
        this.deliveries = deliveries;
        this.onPending = onPending;
        this.clock = clock;
    }

    @Override
    public List<Delivery> list(int limit) {
        return reader.list(DeliveryQuery.all().withStatus(DeliveryStatus.DEAD).withLimit(limit));
    }

    @Override
    public Delivery replay(String deliveryId) {
        return deliveries.replay(deliveryId);
    }

    @Override
    public int replayAll(DeadLetterQuery query) {
        int replayed = editor.replayAll(query, clock.millis());
        onPending.run();
        return replayed;
    }

    @Override
    public int purge(DeadLetterQuery query) {
        return editor.purge(query);
    }
}
