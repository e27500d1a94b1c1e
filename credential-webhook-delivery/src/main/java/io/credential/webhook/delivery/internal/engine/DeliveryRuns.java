package io.credential.webhook.delivery.internal.engine;

import java.time.InstantSource;
import java.util.Collection;
import java.util.function.Predicate;

import io.credential.webhook.delivery.internal.attempt.AttemptReporter;
import io.credential.webhook.delivery.internal.attempt.AttemptSources;
import io.credential.webhook.delivery.internal.attempt.OutcomePolicy;
import io.credential.webhook.delivery.internal.attempt.RequestSender;
import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.Settler;

/**
 * What each {@link DeliveryRun} uses. Thread-safe.
 *
 * @param isHeld whether this node still holds a claim
 * @param attempts reports how attempts ended
 */
record DeliveryRuns(
        Admission admission,
        Predicate<Claim> isHeld,
        AttemptSources sources,
        RequestSender sender,
        OutcomePolicy policy,
        AttemptReporter attempts,
        Settler settler,
        OutcomeReporter outcomes,
        InstantSource clock) {

    /** Has deliveries attempted as soon as there is capacity. */
    void startAll(Collection<ClaimedDelivery> deliveries) {
        for (ClaimedDelivery delivery : deliveries) {
            var unused = new DeliveryRun(delivery, this, false).admit();
        }
    }
}
