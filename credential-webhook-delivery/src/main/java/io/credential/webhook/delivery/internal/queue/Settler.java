package io.credential.webhook.delivery.internal.queue;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.TransactionException;

import io.micrometer.observation.ObservationRegistry;

import io.credential.internal.concurrent.DaemonThreads;
import io.credential.observation.CredentialObservation;
import io.credential.observation.WebhookSettleObservationContext;
import io.credential.observation.WebhookSettleObservationConvention;
import io.credential.observation.internal.GuardedObservation;
import io.credential.storage.DatabaseFault;

/**
 * Stores outcomes in batches, on one thread: outcomes that arrive while a batch is written go into the next. While the
 * database does not answer, it retries until the claims have expired; other nodes then attempt these deliveries again. The
 * caller limits how many outcomes wait. An idle thread ends. Thread-safe.
 */
public final class Settler {

    private static final Logger LOG = LoggerFactory.getLogger(Settler.class);

    private static final WebhookSettleObservationConvention OBSERVATION_CONVENTION =
            new WebhookSettleObservationConvention();

    private static final String GAVE_UP =
            "Could not store the outcomes of {} webhook attempts; the deliveries will be retried";

    private static final int BATCH = 500;
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 1000;
    private static final long CLOSE_SECONDS = 5;

    private final Function<List<Settlement>, Set<String>> settle;
    private final Function<List<Settlement>, Set<String>> settledBefore;
    private final long giveUpNanos;
    private final ObservationRegistry observations;
    private final Queue<Item> items = new ConcurrentLinkedQueue<>();
    private final ThreadPoolExecutor executor;
    private volatile boolean closed;

    /**
     * @param settle {@link DeliveryQueue#settle}, or what does more in the same transaction
     * @param settledBefore {@link DeliveryQueue#settledBefore}
     * @param claimMillis how long a claim lasts: an older outcome is not stored
     */
    public Settler(
            Function<List<Settlement>, Set<String>> settle,
            Function<List<Settlement>, Set<String>> settledBefore,
            long claimMillis,
            ObservationRegistry observations) {
        this(
                settle,
                settledBefore,
                claimMillis,
                observations,
                DaemonThreads.single("credential-webhook-settle", new LinkedBlockingQueue<>()));
    }

    Settler(
            Function<List<Settlement>, Set<String>> settle,
            Function<List<Settlement>, Set<String>> settledBefore,
            long claimMillis,
            ObservationRegistry observations,
            ThreadPoolExecutor executor) {
        this.settle = settle;
        this.settledBefore = settledBefore;
        this.giveUpNanos = TimeUnit.MILLISECONDS.toNanos(claimMillis);
        this.observations = observations;
        this.executor = executor;
    }

    /**
     * Stores an outcome.
     *
     * @return whether it was stored, once that is certain; false if another node has taken the claim over, the database
     *     rejects it, this settler is closed before a retry succeeds, or the database did not answer for as long as the
     *     claim lasts
     */
    public CompletableFuture<Boolean> settle(Settlement settlement) {
        Item item = new Item(settlement, new CompletableFuture<>(), System.nanoTime());
        items.add(item);
        storeSoon();
        return item.stored();
    }

    /** Stores outcomes for which there was no thread; to be called about once a second. */
    public void storeWaiting() {
        if (!items.isEmpty() && executor.getPoolSize() == 0) {
            storeSoon();
        }
    }

    private void storeSoon() {
        try {
            executor.execute(this::storeBatch);
        } catch (RejectedExecutionException e) {
            LOG.error("No thread is available to store outcomes; trying again", e);
        }
    }

    /** Waits until every outcome that was given before has been stored, or was tried once more. The thread then ends. */
    public void close() {
        closed = true;
        executor.setKeepAliveTime(1, TimeUnit.MILLISECONDS); // no shutdown: later outcomes must still be stored
        try {
            executor.submit(this::storeBatch).get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
            LOG.debug("Not all outcomes of webhook attempts were stored in time", e);
        }
    }

    /** Runs once for each outcome; an earlier run may have stored it already. */
    private void storeBatch() {
        List<Item> batch = nextBatch();
        if (batch.isEmpty()) {
            return;
        }
        try {
            store(batch, false);
        } finally { // nobody may wait forever for an outcome that was not stored
            batch.forEach(item -> item.stored().complete(false));
        }
    }

    /** A second outcome of a delivery, under another claim, is left for the next batch: only one of them can be stored. */
    private List<Item> nextBatch() {
        Map<String, Item> batch = new LinkedHashMap<>();
        Item item = items.peek();
        while (item != null && batch.size() < BATCH && batch.putIfAbsent(item.deliveryId(), item) == null) {
            items.remove();
            item = items.peek();
        }
        return List.copyOf(batch.values());
    }

    /** @param again whether an earlier try may have stored some of them */
    private void store(List<Item> batch, boolean again) {
        boolean triedBefore = again;
        for (long pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
            try {
                Set<String> stored = write(batch.stream().map(Item::settlement).toList(), triedBefore);
                reportTakenOver(batch, stored);
                batch.forEach(item -> item.stored().complete(stored.contains(item.deliveryId())));
                return;
            } catch (DataIntegrityViolationException e) {
                // One outcome that the database rejects must not keep the others from being stored.
                isolate(batch, triedBefore, e);
                return;
            } catch (DataAccessException | TransactionException | OutOfMemoryError e) {
                LOG.warn(
                        "Could not store the outcomes of {} webhook attempts yet ({}); retrying",
                        batch.size(),
                        DatabaseFault.explain(e),
                        e);
            } catch (RuntimeException | Error e) {
                LOG.error(GAVE_UP, batch.size(), e);
                return;
            }
            triedBefore = true;
            if (closed || System.nanoTime() - batch.get(0).since() > giveUpNanos) {
                LOG.error(GAVE_UP, batch.size());
                return;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pause));
        }
    }

    /** Returns the ids of the deliveries whose outcome is now stored, this time or, if tried again, the time before. */
    private Set<String> write(List<Settlement> batch, boolean again) {
        return GuardedObservation.startInScope(
                        CredentialObservation.WEBHOOK_SETTLE,
                        OBSERVATION_CONVENTION,
                        new WebhookSettleObservationContext(batch.size()),
                        observations)
                .run(
                        context -> {
                            Set<String> stored = new HashSet<>(settle.apply(batch));
                            if (again && stored.size() < batch.size()) {
                                stored.addAll(settledBefore.apply(batch.stream()
                                        .filter(outcome -> !stored.contains(
                                                outcome.claimed().deliveryId()))
                                        .toList()));
                            }
                            context.stored();
                            return stored;
                        },
                        (observation, failure) -> {
                            observation.context().failed();
                            observation.error(failure);
                        });
    }

    private void isolate(List<Item> batch, boolean again, DataIntegrityViolationException rejection) {
        if (batch.size() > 1) {
            batch.forEach(item -> {
                store(List.of(item), again);
                item.stored().complete(false); // at once: those after it may take long
            });
            return;
        }
        LOG.error(
                "The database rejects the outcome of the delivery {}; the delivery will be retried",
                batch.get(0).deliveryId(),
                rejection);
    }

    private static void reportTakenOver(List<Item> batch, Set<String> stored) {
        List<String> others = batch.stream()
                .map(Item::deliveryId)
                .filter(delivery -> !stored.contains(delivery))
                .toList();
        if (!others.isEmpty()) {
            LOG.warn(
                    "Could not store the outcomes of {} deliveries, for example {}: other nodes took them over, so receivers may"
                            + " get them twice",
                    others.size(),
                    others.get(0));
            LOG.debug("The deliveries that other nodes took over are {}", others);
        }
    }

    private record Item(Settlement settlement, CompletableFuture<Boolean> stored, long since) {

        String deliveryId() {
            return settlement.claimed().deliveryId();
        }
    }
}
