package io.credential.webhook.delivery.internal.queue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.IntSupplier;

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
import io.credential.webhook.delivery.internal.queue.OutcomeQueue.Item;

/**
 * Stores outcomes in batches, on one thread, as they are taken from the {@link OutcomeQueue}. While the
 * database does not answer, it retries until the claims have expired; other nodes then attempt these deliveries again. The
 * caller limits how many outcomes wait. An idle thread ends. Thread-safe.
 */
public final class Settler {

    private static final Logger LOG = LoggerFactory.getLogger(Settler.class);

    private static final WebhookSettleObservationConvention OBSERVATION_CONVENTION =
            new WebhookSettleObservationConvention();

    private static final String GAVE_UP =
            "Could not store the outcomes of {} webhook attempts; the deliveries will be retried";

    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 1000;
    private static final long CLOSE_SECONDS = 5;

    private final Function<List<Settlement>, Set<String>> settle;
    private final Function<List<Settlement>, Set<String>> settledBefore;
    private final long giveUpNanos;
    private final ObservationRegistry observations;
    private final OutcomeQueue outcomes;
    private final ThreadPoolExecutor executor;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile boolean closed;

    /**
     * @param settle {@link DeliveryQueue#settle}, or what does more in the same transaction
     * @param settledBefore {@link DeliveryQueue#settledBefore}
     * @param claimMillis how long a claim lasts: an older outcome is not stored
     * @param capacity how many outcomes can wait before work stops
     * @param underWay returns how many outcomes are waiting or expected
     */
    public Settler(
            Function<List<Settlement>, Set<String>> settle,
            Function<List<Settlement>, Set<String>> settledBefore,
            long claimMillis,
            int capacity,
            IntSupplier underWay,
            ObservationRegistry observations) {
        this(
                settle,
                settledBefore,
                claimMillis,
                new OutcomeQueue(capacity, underWay, System::nanoTime),
                observations,
                DaemonThreads.single("credential-webhook-settle", new LinkedBlockingQueue<>()));
    }

    Settler(
            Function<List<Settlement>, Set<String>> settle,
            Function<List<Settlement>, Set<String>> settledBefore,
            long claimMillis,
            OutcomeQueue outcomes,
            ObservationRegistry observations,
            ThreadPoolExecutor executor) {
        this.settle = settle;
        this.settledBefore = settledBefore;
        this.giveUpNanos = TimeUnit.MILLISECONDS.toNanos(claimMillis);
        this.outcomes = outcomes;
        this.observations = observations;
        this.executor = executor;
    }

    /**
     * Stores an outcome.
     *
     * @param isAwaited whether somebody waits for it; otherwise it may wait some milliseconds for others
     * @return whether it was stored, once that is certain; false if another node has taken the claim over, the database
     *     rejects it, this settler is closed before a retry succeeds, or the database did not answer for as long as the
     *     claim lasts
     */
    public CompletableFuture<Boolean> settle(Settlement settlement, boolean isAwaited) {
        Item item = new Item(settlement, isAwaited, new CompletableFuture<>(), System.nanoTime());
        outcomes.add(item);
        storeSoon();
        return item.stored();
    }

    /** Stores outcomes for which there was no thread; to be called about once a second. */
    public void storeWaiting() {
        if (!outcomes.isEmpty() && executor.getPoolSize() == 0) {
            scheduled.set(false);
            storeSoon();
        }
    }

    private void storeSoon() {
        if (scheduled.getAndSet(true)) {
            return;
        }
        boolean accepted = false;
        try {
            executor.execute(this::storeAll);
            accepted = true;
        } catch (RejectedExecutionException e) {
            LOG.error("No thread is available to store outcomes; trying again", e);
        } finally { // also if memory is exhausted
            if (!accepted) {
                scheduled.set(false);
            }
        }
    }

    /** Waits until every outcome that was given before has been stored, or was tried once more. The thread then ends. */
    public void close() {
        closed = true;
        outcomes.close();
        executor.setKeepAliveTime(1, TimeUnit.MILLISECONDS); // no shutdown: later outcomes must still be stored
        try {
            executor.submit(this::storeAll).get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
            LOG.debug("Not all outcomes of webhook attempts were stored in time", e);
        }
    }

    private void storeAll() {
        scheduled.set(false); // first: an outcome that comes after the last batch must schedule another run
        try {
            while (!outcomes.isEmpty()) {
                storeBatch();
            }
        } finally {
            if (!outcomes.isEmpty()) {
                storeSoon();
            }
        }
    }

    private void storeBatch() {
        List<Item> batch = new ArrayList<>();
        try {
            outcomes.takeInto(batch);
            store(batch, false);
        } finally { // nobody may wait forever for an outcome that was not stored
            batch.forEach(item -> item.stored().complete(false));
        }
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
}
