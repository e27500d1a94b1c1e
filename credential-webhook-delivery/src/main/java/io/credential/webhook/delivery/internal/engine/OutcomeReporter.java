package io.credential.webhook.delivery.internal.engine;

import java.time.InstantSource;
import java.util.function.Consumer;

import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.DeadDelivery;
import io.credential.webhook.delivery.internal.queue.Settlement;

/**
 * Tells who must know of an outcome: the log, the statistics, the audit trail, and the loop that will attempt the delivery again.
 *
 * @param deaths told of dead deliveries
 * @param statistics counts outcomes that were stored
 * @param health logs which endpoints fail
 * @param signals wakes the loop when a delivery is due again
 */
record OutcomeReporter(
        Consumer<DeadDelivery> deaths,
        Consumer<Settlement> statistics,
        EndpointHealthReporter health,
        DueSignals signals,
        InstantSource clock) {

    static final long RELEASED_PAUSE_MILLIS = 1000;

    /** @param stored false if another node has taken the delivery over, or the database failed; the settler has logged which */
    void report(Settlement settlement, boolean stored) {
        ClaimedDelivery delivery = settlement.claimed();
        if (settlement.attempted()) {
            health.attempted(delivery, settlement.error());
        }
        if (!stored) {
            return;
        }
        statistics.accept(settlement);
        settlement.death().ifPresent(deaths);
        if (settlement.status() == DeliveryStatus.PENDING) {
            signals.dueEndpoints().add(delivery.endpointId(), settlement.nextAttemptAt());
            // A delivery that was released at once cannot be attempted at once either.
            signals.wakeup()
                    .at(
                            settlement.attempted()
                                    ? settlement.nextAttemptAt()
                                    : Math.max(settlement.nextAttemptAt(), clock.millis() + RELEASED_PAUSE_MILLIS));
        }
    }
}
