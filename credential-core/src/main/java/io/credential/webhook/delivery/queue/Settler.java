package io.credential.webhook.delivery.queue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.TransactionException;

/**
 * Stores outcomes in batches, on one thread: those that arrive while a batch is written go into the next. While the
 * database does not answer, it retries until the claims have expired; other nodes then attempt these deliveries again.
 * An idle thread ends. Thread-safe. The caller bounds how many outcomes wait.
 *
 * @since 0.1.0
 */
public final class Settler {

    private static final Logger LOG = LoggerFactory.getLogger(Settler.class);

    private static final int BATCH = 500;
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 1000;
    private static final long IDLE_SECONDS = 30;
    private static final long CLOSE_MILLIS = 5000;

    private final DeliveryQueue queue;
    private final long giveUpNanos;
    private final BlockingQueue<Item> items = new LinkedBlockingQueue<>();
    private final Object threadLock = new Object();
    private @Nullable Thread thread;
    private volatile boolean closed;

    /**
     * @param claimMillis how long a claim lasts: an older outcome is not stored
     */
    public Settler(DeliveryQueue queue, long claimMillis) {
        this.queue = queue;
        this.giveUpNanos = TimeUnit.MILLISECONDS.toNanos(claimMillis);
    }

    /**
     * Stores an outcome.
     *
     * @return whether it was stored, once that is certain; false when another has taken the claim over, or the database
     *     did not answer for as long as the claim lasts
     */
    public CompletableFuture<Boolean> settle(Settlement settlement) {
        Item item = new Item(settlement, new CompletableFuture<>(), System.nanoTime());
        items.add(item);
        ensureThread();
        return item.stored();
    }

    /** Ends the thread after one attempt to store every outcome that was given before. */
    public void close() {
        closed = true;
        Thread ending;
        synchronized (threadLock) {
            ending = thread;
        }
        if (ending == null) {
            return;
        }
        ending.interrupt();
        try {
            ending.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void ensureThread() {
        synchronized (threadLock) {
            if (thread == null || !thread.isAlive()) { // it may have died or failed to start for lack of memory
                Thread starting = new Thread(this::run, "credential-webhook-settle");
                starting.setDaemon(true);
                thread = starting;
                try {
                    starting.start();
                } catch (OutOfMemoryError e) {
                    LOG.error("No thread is available to store outcomes; the next outcome tries again", e);
                }
            }
        }
    }

    private void run() {
        List<Item> batch = new ArrayList<>();
        while (true) {
            Item first = await();
            if (first == null) {
                return;
            }
            batch.add(first);
            items.drainTo(batch, BATCH - 1);
            try {
                store(batch);
            } finally { // whatever ends this thread, nobody may wait for these forever
                batch.forEach(item -> item.stored().complete(false));
                batch.clear();
            }
        }
    }

    /** Returns null after an idle time; the thread then ends. */
    private @Nullable Item await() {
        Item item = null;
        try {
            item = items.poll(IDLE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            LOG.debug("Asked to end", e);
        }
        if (item != null) {
            return item;
        }
        synchronized (threadLock) {
            Item late = items.poll();
            if (late == null) {
                thread = null;
            }
            return late;
        }
    }

    private void store(List<Item> batch) {
        store(batch, false);
    }

    /** @param again whether an earlier try may have stored some of them */
    private void store(List<Item> batch, boolean again) {
        long pause = FIRST_PAUSE_MILLIS;
        boolean triedBefore = again;
        while (!tryToStore(batch, triedBefore)) {
            triedBefore = true;
            if (closed || System.nanoTime() - batch.get(0).since() > giveUpNanos) {
                LOG.error(
                        "Could not store the outcomes of {} webhook attempts; the deliveries will be retried",
                        batch.size());
                batch.forEach(item -> item.stored().complete(false));
                return;
            }
            pause(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        }
    }

    private boolean tryToStore(List<Item> batch, boolean again) {
        try {
            Set<String> stored = settle(batch, again);
            for (Item item : batch) {
                item.stored()
                        .complete(stored.contains(item.settlement().claimed().deliveryId()));
            }
            return true;
        } catch (DataIntegrityViolationException e) {
            // One outcome that the database refuses must not keep the others from being stored.
            isolate(batch, again, e);
            return true;
        } catch (DataAccessException | TransactionException e) {
            LOG.warn("Could not store the outcomes of {} webhook attempts yet; retrying", batch.size(), e);
            return false;
        } catch (RuntimeException | Error e) {
            LOG.error(
                    "Could not store the outcomes of {} webhook attempts; the deliveries will be retried",
                    batch.size(),
                    e);
            batch.forEach(item -> item.stored().complete(false));
            return true;
        }
    }

    private Set<String> settle(List<Item> batch, boolean again) {
        Set<String> stored = queue.settle(batch.stream().map(Item::settlement).toList());
        List<Settlement> others = batch.stream()
                .map(Item::settlement)
                .filter(settlement ->
                        again && !stored.contains(settlement.claimed().deliveryId()))
                .toList();
        if (others.isEmpty()) {
            return stored;
        }
        Set<String> all = new HashSet<>(stored);
        all.addAll(queue.settledBefore(others));
        return all;
    }

    private void isolate(List<Item> batch, boolean again, DataIntegrityViolationException refusal) {
        if (batch.size() > 1) {
            batch.forEach(item -> store(List.of(item), again));
            return;
        }
        LOG.error(
                "The database rejects the outcome of the delivery {}, which will be retried",
                batch.get(0).settlement().claimed().deliveryId(),
                refusal);
        batch.get(0).stored().complete(false);
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            LOG.debug("Asked to end", e);
        }
    }

    private record Item(Settlement settlement, CompletableFuture<Boolean> stored, long since) {}
}
