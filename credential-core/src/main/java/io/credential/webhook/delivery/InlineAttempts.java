package io.credential.webhook.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.credential.webhook.delivery.DeliveryEngine.Settled;

/** Attempts deliveries while their caller waits for a bounded time. */
final class InlineAttempts {

    private final DeliveryEngine engine;

    InlineAttempts(DeliveryEngine engine) {
        this.engine = engine;
    }

    /** Attempts all at once; what is not settled when the time is up is shown in flight, and goes on. */
    DispatchResult attempt(List<ClaimedDelivery> claimed, Duration longest) {
        List<CompletableFuture<Settled>> settled =
                claimed.stream().map(engine::deliver).toList();
        await(CompletableFuture.allOf(settled.toArray(CompletableFuture[]::new)), longest);
        int delivered = 0;
        int failed = 0;
        List<Delivery> shown = new ArrayList<>();
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
        return new DispatchResult(delivered, failed, shown);
    }

    private static void await(CompletableFuture<Void> all, Duration longest) {
        try {
            all.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            // The attempts go on; what they come to is stored all the same.
        } catch (ExecutionException e) {
            throw new IllegalStateException("An attempt failed unexpectedly", e.getCause());
        }
    }
}
