package io.credential.webhook.delivery.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatcherOptions;
import io.credential.webhook.delivery.RetryResult;
import io.credential.webhook.delivery.engine.DeliveryRunner.Settled;
import io.credential.webhook.delivery.queue.ClaimedDelivery;

/** One call of {@code processRetries}: claims up to a batch of what is due, and waits for what becomes of it. */
final class RetryProcessor {

    private final DispatcherOptions options;
    private final DeliveryClaimer claimer;
    private final DeliveryRunner runner;

    RetryProcessor(DispatcherOptions options, DeliveryClaimer claimer, DeliveryRunner runner) {
        this.options = options;
        this.claimer = claimer;
        this.runner = runner;
    }

    RetryResult process() {
        List<CompletableFuture<Settled>> settled = new ArrayList<>();
        claimer.findAll();
        List<ClaimedDelivery> claimed;
        do {
            claimed = claimer.claim(options.batchSize() - settled.size()).deliveries();
            claimed.forEach(delivery -> settled.add(runner.deliver(delivery)));
        } while (!claimed.isEmpty() && settled.size() < options.batchSize());
        await(CompletableFuture.allOf(settled.toArray(CompletableFuture[]::new)));
        return tally(settled);
    }

    /** Until all have ended, or the thread is interrupted; what is under way then goes on. */
    private static void await(CompletableFuture<Void> all) {
        try {
            all.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("An attempt failed unexpectedly", e.getCause());
        }
    }

    private static RetryResult tally(List<CompletableFuture<Settled>> futures) {
        int attempted = 0;
        int delivered = 0;
        int dead = 0;
        for (CompletableFuture<Settled> future : futures) {
            Settled settled = future.getNow(null);
            if (settled != null && settled.stored()) {
                attempted += settled.settlement().attempted() ? 1 : 0;
                delivered += settled.settlement().status() == DeliveryStatus.DELIVERED ? 1 : 0;
                dead += settled.settlement().status() == DeliveryStatus.DEAD ? 1 : 0;
            }
        }
        return new RetryResult(attempted, delivered, dead);
    }
}
