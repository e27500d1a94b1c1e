package io.credential.webhook.delivery.internal.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.micrometer.observation.ObservationRegistry;

import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatchResult;
import io.credential.webhook.delivery.RetryResult;
import io.credential.webhook.delivery.internal.engine.DeliveryRun.Settled;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.Settlement;

/**
 * Attempts deliveries while a caller waits for the outcomes. An interrupted caller stops waiting; the attempts go on.
 * Thread-safe.
 */
public final class AwaitedDeliveries {

    private final int batchSize;
    private final DeliveryClaimer claimer;
    private final DeliveryRuns runs;
    private final RetryRound round;

    AwaitedDeliveries(int batchSize, DeliveryClaimer claimer, DeliveryRuns runs, ObservationRegistry observations) {
        this.batchSize = batchSize;
        this.claimer = claimer;
        this.runs = runs;
        this.round = new RetryRound(observations, "call");
    }

    /**
     * Attempts deliveries at once, and waits for the outcomes. Attempts that are still running after the longest wait
     * continue, and are shown as in flight. Endpoints whose last attempt timed out are waited for only if a user asked for the
     * attempt.
     *
     * @param others other deliveries to include in the result
     */
    public DispatchResult deliver(List<ClaimedDelivery> claimed, List<Delivery> others, Duration longest) {
        List<CompletableFuture<Settled>> outcomes = new ArrayList<>();
        List<CompletableFuture<Settled>> awaited = new ArrayList<>();
        for (ClaimedDelivery delivery : claimed) {
            boolean mustWait = delivery.requested() // before the attempt begins
                    || !runs.admission().lanes().isSilent(delivery.endpointId());
            CompletableFuture<Settled> outcome = new DeliveryRun(delivery, runs, mustWait).admit();
            outcomes.add(outcome);
            if (mustWait) {
                awaited.add(outcome);
            }
        }
        await(awaited, longest.toMillis());
        int delivered = 0;
        int failed = 0;
        List<Delivery> shown = new ArrayList<>(others);
        for (int i = 0; i < claimed.size(); i++) {
            Settled outcome = outcomes.get(i).getNow(null);
            if (outcome == null || !outcome.stored()) {
                shown.add(claimed.get(i).inFlight());
                continue;
            }
            Settlement settlement = outcome.settlement();
            shown.add(settlement.delivery());
            if (settlement.status() == DeliveryStatus.DELIVERED) {
                delivered++;
            } else if (settlement.attempted() || settlement.status() == DeliveryStatus.DEAD) {
                failed++;
            }
        }
        shown.sort(Comparator.comparing(Delivery::deliveryId));
        return new DispatchResult(delivered, failed, shown);
    }

    /** Attempts one delivery that a user asked for, and waits for the outcome. */
    public Delivery deliverOne(ClaimedDelivery claimed, Duration longest) {
        return deliver(List.of(claimed), List.of(), longest).deliveries().get(0);
    }

    /** Claims up to a batch of what is due, and waits for the outcomes. */
    RetryResult deliverDue() {
        return round.observe(this::deliverBatch, RetryResult::attempted);
    }

    private RetryResult deliverBatch() {
        List<CompletableFuture<Settled>> outcomes = new ArrayList<>();
        claimer.findAll();
        List<ClaimedDelivery> claimed;
        do {
            claimed = claimer.claimDue(batchSize - outcomes.size(), RetryRound.UNOBSERVED)
                    .deliveries();
            claimed.forEach(delivery -> outcomes.add(new DeliveryRun(delivery, runs, true).admit()));
        } while (outcomes.size() < batchSize && (!claimed.isEmpty() || claimer.awaitShare()));
        await(outcomes, Long.MAX_VALUE);
        return tally(outcomes);
    }

    private static void await(List<CompletableFuture<Settled>> outcomes, long longestMillis) {
        try {
            CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new))
                    .get(longestMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            // The attempts go on, and their outcomes are still stored.
        } catch (ExecutionException e) {
            throw new IllegalStateException("An attempt failed unexpectedly", e.getCause());
        }
    }

    private static RetryResult tally(List<CompletableFuture<Settled>> outcomes) {
        int attempted = 0;
        int delivered = 0;
        int dead = 0;
        for (CompletableFuture<Settled> outcome : outcomes) {
            Settled settled = outcome.getNow(null);
            if (settled != null && settled.stored()) {
                attempted += settled.settlement().attempted() ? 1 : 0;
                delivered += settled.settlement().status() == DeliveryStatus.DELIVERED ? 1 : 0;
                dead += settled.settlement().status() == DeliveryStatus.DEAD ? 1 : 0;
            }
        }
        return new RetryResult(attempted, delivered, dead);
    }
}
