package io.credential.webhook.delivery.queue;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

import io.credential.storage.CredentialDatabase;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.OperationalEvent;

/**
 * Raises an operational event for each dead delivery, in the transaction that stores its outcome. Other
 * outcomes are stored without a transaction around them.
 *
 * @since 0.1.0
 */
public final class DeathEventRaiser {

    private final DeliveryQueue queue;
    private final CredentialDatabase database;
    private final OperationalEvents events;

    private DeathEventRaiser(DeliveryQueue queue, CredentialDatabase database, OperationalEvents events) {
        this.queue = queue;
        this.database = database;
        this.events = events;
    }

    /** Returns {@link DeliveryQueue#settle}, which raises these events unless operational events are disabled. */
    public static Function<List<Settlement>, Set<String>> settling(
            DeliveryQueue queue, CredentialDatabase database, OperationalEvents events) {
        return events.equals(OperationalEvents.NONE)
                ? queue::settle
                : new DeathEventRaiser(queue, database, events)::settle;
    }

    private Set<String> settle(List<Settlement> settlements) {
        List<Settlement> deaths =
                settlements.stream().filter(DeathEventRaiser::isReported).toList();
        return deaths.isEmpty()
                ? queue.settle(settlements)
                : database.inTransaction(() -> settleAndRaise(settlements, deaths));
    }

    private Set<String> settleAndRaise(List<Settlement> settlements, List<Settlement> deaths) {
        database.limitIdleTime();
        Set<String> stored = queue.settle(settlements);
        events.raise(deaths.stream()
                .filter(death -> stored.contains(death.claimed().deliveryId()))
                .map(DeathEventRaiser::event)
                .toList());
        return stored;
    }

    /** A dead delivery of an operational event does not raise another event. */
    private static boolean isReported(Settlement settlement) {
        return settlement.status() == DeliveryStatus.DEAD
                && !OperationalEvent.isReserved(settlement.claimed().eventType());
    }

    private static OperationalEvent event(Settlement death) {
        ClaimedDelivery delivery = death.claimed();
        return OperationalEvent.deliveryDead(
                delivery.deliveryId(),
                delivery.eventId(),
                delivery.eventType(),
                delivery.endpointId(),
                death.attempts(),
                Objects.requireNonNull(death.reason()),
                Instant.ofEpochMilli(Objects.requireNonNull(death.settledAt())));
    }
}
