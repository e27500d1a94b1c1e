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

import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatchResult;
import io.credential.webhook.delivery.engine.DeliveryRunner.Settled;
import io.credential.webhook.delivery.queue.ClaimedDelivery;
import io.credential.webhook.delivery.queue.Settlement;

/** Attempts deliveries while their caller waits for a bounded time. */
final class AwaitedAttempts {

    private final DeliveryRunner runner;

    AwaitedAttempts(DeliveryRunner runner) {
        this.runner = runner;
    }

    /**
     * Attempts all deliveries of an event at once; what is not settled when the time is up is shown in flight, and goes on.
     * Endpoints whose last attempt timed out are not waited for.
     *
     * @param others to be shown as well
     */
    DispatchResult attempt(List<ClaimedDelivery> claimed, List<Delivery> others, Duration longest) {
        Predicate<ClaimedDelivery> isAwaited = delivery -> !runner.lanes().isSilent(delivery.endpointId());
        return attempt(claimed, others, isAwaited, longest);
    }

    /** Attempts one delivery; if it is not settled when the time is up it is shown in flight, and goes on. */
    Delivery attempt(ClaimedDelivery claimed, Duration longest) {
        return attempt(List.of(claimed), List.of(), delivery -> true, longest)
                .deliveries()
                .get(0);
    }

    private DispatchResult attempt(
            List<ClaimedDelivery> claimed,
            List<Delivery> others,
            Predicate<ClaimedDelivery> isAwaited,
            Duration longest) {
        List<CompletableFuture<Settled>> settled = new ArrayList<>();
        List<CompletableFuture<Settled>> awaited = new ArrayList<>();
        for (ClaimedDelivery delivery : claimed) {
            boolean mustWait = isAwaited.test(delivery); // before it is begun
            CompletableFuture<Settled> outcome = runner.deliver(delivery);
            settled.add(outcome);
            if (mustWait) {
                awaited.add(outcome);
            }
        }
        await(CompletableFuture.allOf(awaited.toArray(CompletableFuture[]::new)), longest);
        int delivered = 0;
        int failed = 0;
        List<Delivery> shown = new ArrayList<>(others);
        for (int i = 0; i < claimed.size(); i++) {
            Settled outcome = settled.get(i).getNow(null);
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

    private static void await(CompletableFuture<Void> all, Duration longest) {
        try {
            all.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            // The attempts go on, and their outcomes are still stored.
        } catch (ExecutionException e) {
            throw new IllegalStateException("An attempt failed unexpectedly", e.getCause());
        }
    }
}
