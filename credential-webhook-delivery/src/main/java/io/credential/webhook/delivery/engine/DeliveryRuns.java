package io.credential.webhook.delivery.engine;

import java.time.InstantSource;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import io.credential.webhook.delivery.attempt.AttemptSources;
import io.credential.webhook.delivery.attempt.OutcomePolicy;
import io.credential.webhook.delivery.attempt.RequestSender;
import io.credential.webhook.delivery.queue.Claim;
import io.credential.webhook.delivery.queue.ClaimedDelivery;

/**
 * Runs the deliveries that this node has taken; what each {@link DeliveryRun} uses. Thread-safe.
 *
 * @param isHeld whether this node still holds a claim
 */
record DeliveryRuns(
        Admission admission,
        Predicate<Claim> isHeld,
        AttemptSources sources,
        RequestSender sender,
        OutcomePolicy policy,
        OutcomeRecorder outcomes,
        InstantSource clock) {

    /**
     * Attempts a delivery as soon as there is capacity, and stores the outcome.
     *
     * @return the outcome; never fails
     */
    CompletableFuture<DeliveryRun.Settled> start(ClaimedDelivery delivery) {
        return new DeliveryRun(delivery, this).admit();
    }

    void startAll(Collection<ClaimedDelivery> deliveries) {
        for (ClaimedDelivery delivery : deliveries) {
            var unused = start(delivery);
        }
    }
}
