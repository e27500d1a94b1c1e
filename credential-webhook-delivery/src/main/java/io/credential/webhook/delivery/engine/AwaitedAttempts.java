package io.credential.webhook.delivery.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

import io.micrometer.observation.ObservationRegistry;

import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatchResult;
import io.credential.webhook.delivery.RetryResult;
import io.credential.webhook.delivery.engine.DeliveryRunner.Settled;
import io.credential.webhook.delivery.queue.ClaimedDelivery;
import io.credential.webhook.delivery.queue.Settlement;

/** Attempts deliveries while a caller waits for the outcomes. An interrupted caller stops waiting; the attempts go on. */
final class AwaitedAttempts {

    private final int batchSize;
    private final DeliveryClaimer claimer;
    private final DeliveryRunner runner;
    private final RetryRound round;

    AwaitedAttempts(int batchSize, DeliveryClaimer claimer, DeliveryRunner runner, ObservationRegistry observations) {
        this.batchSize = batchSize;
        this.claimer = claimer;
        this.runner = runner;
        this.round = new RetryRound(observations, "call");
    }

    DispatchResult attempt(List<ClaimedDelivery> claimed, List<Delivery> others, Duration longest) {
        Predicate<ClaimedDelivery> isAwaited = delivery -> !runner.lanes().isSilent(delivery.endpointId());
        return attempt(claimed, others, isAwaited, longest);
    }

    Delivery attempt(ClaimedDelivery claimed, Duration longest) {
        return attempt(List.of(claimed), List.of(), delivery -> true, longest)
                .deliveries()
                .get(0);
    }

    /** Claims up to a batch of what is due, and waits for the outcomes. */
    RetryResult attemptDue() {
        return round.observe(this::attemptBatch, RetryResult::attempted);
    }

    private RetryResult attemptBatch() {
        List<CompletableFuture<Settled>> outcomes = new ArrayList<>();
        claimer.findAll();
        List<ClaimedDelivery> claimed;
        do {
            claimed = claimer.claim(batchSize - outcomes.size()).deliveries();
            claimed.forEach(delivery -> outcomes.add(runner.deliver(delivery)));
        } while (outcomes.size() < batchSize && (!claimed.isEmpty() || claimer.awaitShare()));
        await(outcomes, Long.MAX_VALUE);
        return tally(outcomes);
    }

    private DispatchResult attempt(
            List<ClaimedDelivery> claimed,
            List<Delivery> others,
            Predicate<ClaimedDelivery> isAwaited,
            Duration longest) {
        List<CompletableFuture<Settled>> outcomes = new ArrayList<>();
        List<CompletableFuture<Settled>> awaited = new ArrayList<>();
        for (ClaimedDelivery delivery : claimed) {
            boolean mustWait = isAwaited.test(delivery); // before the attempt begins
            CompletableFuture<Settled> outcome = runner.deliver(delivery);
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
