package io.credential.webhook.delivery.engine;

import java.time.InstantSource;
import java.util.function.Consumer;

import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.attempt.AttemptReporter;
import io.credential.webhook.delivery.queue.ClaimedDelivery;
import io.credential.webhook.delivery.queue.DeadDelivery;
import io.credential.webhook.delivery.queue.Settlement;
import io.credential.webhook.delivery.queue.Settler;

/**
 * Has outcomes stored, and tells who must know of them: the log, the audit trail, and the loop that will attempt the
 * delivery again.
 *
 * @param settler stores outcomes
 * @param deaths told of dead deliveries
 * @param health logs which endpoints fail
 * @param attempts reports how attempts ended
 * @param dueEndpoints learns when a delivery is due again
 * @param wakeup wakes the loop then
 */
record OutcomeRecorder(
        Settler settler,
        Consumer<DeadDelivery> deaths,
        EndpointHealthReporter health,
        AttemptReporter attempts,
        DueEndpoints dueEndpoints,
        Wakeup wakeup,
        InstantSource clock) {

    static final long RELEASED_PAUSE_MILLIS = 1000;

    /** @param onEnd told whether the outcome was stored, once that is certain and has been reported */
    @SuppressWarnings("FutureReturnValueIgnored") // the derived future only passes the outcome on
    void store(Settlement settlement, Consumer<Boolean> onEnd) {
        settler.settle(settlement).whenComplete((stored, failure) -> {
            boolean isStored = Boolean.TRUE.equals(stored);
            try {
                report(settlement, isStored);
            } finally {
                onEnd.accept(isStored);
            }
        });
    }

    private void report(Settlement settlement, boolean stored) {
        ClaimedDelivery delivery = settlement.claimed();
        if (settlement.attempted()) {
            health.attempted(delivery, settlement.error());
        }
        if (!stored) {
            return; // the settler has logged why
        }
        settlement.death().ifPresent(deaths);
        if (settlement.status() == DeliveryStatus.PENDING) {
            dueEndpoints.add(delivery.endpointId(), settlement.nextAttemptAt());
            // A delivery that was released at once cannot be attempted at once either.
            wakeup.at(
                    settlement.attempted()
                            ? settlement.nextAttemptAt()
                            : Math.max(settlement.nextAttemptAt(), clock.millis() + RELEASED_PAUSE_MILLIS));
        }
    }
}
