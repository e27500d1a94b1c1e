package io.credential.webhook.delivery.internal.queue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import io.credential.audit.internal.AuditTrail;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.internal.OperationalEvent;

/**
 * Reports dead deliveries: raises an operational event in the transaction that stores the death, and after its commit the
 * audit event {@code webhook.delivery.dead}. Thread-safe.
 */
public final class DeathReporter {

    private final CredentialDatabase database;
    private final OperationalEvents events;
    private final AuditTrail audit;

    public DeathReporter(CredentialDatabase database, OperationalEvents events, AuditTrail audit) {
        this.database = database;
        this.events = events;
        this.audit = audit;
    }

    /** Reports deliveries that the transaction of this thread marks as dead. */
    public void died(List<DeadDelivery> deaths) {
        raise(deaths.stream());
        database.afterCommit(() -> deaths.forEach(this::audit));
    }

    /** Reports the audit event of a death that is committed. */
    public void audit(DeadDelivery death) {
        audit.failure(
                "webhook.delivery.dead",
                death.reason().text(),
                death.deliveryId(),
                Map.of("endpointId", death.endpointId(), "eventType", death.eventType(), "attempts", death.attempts()));
    }

    /**
     * Returns {@link DeliveryQueue#settle}, which raises the operational events of the deaths among the outcomes unless such
     * events are disabled. Outcomes without deaths are stored without a transaction around them.
     */
    public Function<List<Settlement>, Set<String>> settling(DeliveryQueue queue) {
        if (events.equals(OperationalEvents.NONE)) {
            return queue::settle;
        }
        return settlements -> settlements.stream().flatMap(DeathReporter::death).anyMatch(DeathReporter::hasEvent)
                ? database.inTransaction(() -> settleAndRaise(queue, settlements))
                : queue.settle(settlements);
    }

    private Set<String> settleAndRaise(DeliveryQueue queue, List<Settlement> settlements) {
        database.limitIdleTime();
        Set<String> stored = queue.settle(settlements);
        raise(settlements.stream().flatMap(DeathReporter::death).filter(death -> stored.contains(death.deliveryId())));
        return stored;
    }

    private static Stream<DeadDelivery> death(Settlement settlement) {
        return settlement.death().stream();
    }

    private void raise(Stream<DeadDelivery> deaths) {
        events.raise(
                deaths.filter(DeathReporter::hasEvent).map(DeadDelivery::event).toList());
    }

    /** A dead delivery of an operational event does not raise another event. */
    private static boolean hasEvent(DeadDelivery death) {
        return !OperationalEvent.isReserved(death.eventType());
    }
}
