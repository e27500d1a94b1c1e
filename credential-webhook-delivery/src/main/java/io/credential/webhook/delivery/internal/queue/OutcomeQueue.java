package io.credential.webhook.delivery.internal.queue;

import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Outcomes that wait to be stored. Under load, batches fill: the next one is taken no sooner than some milliseconds after the
 * last, unless it is full, somebody waits for one of its outcomes, or no other is expected. The first outcome after a
 * pause is therefore taken at once. Thread-safe; one thread takes.
 */
final class OutcomeQueue {

    private static final int LARGEST_BATCH = 500;

    /** A statement for a hundred outcomes costs little more processor time per outcome than one for more. */
    private static final int MAX_FULL_BATCH = 100;

    private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Queue<Item> items = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicInteger awaited = new AtomicInteger();
    private final int fullBatch;
    private final IntSupplier underWay;
    private final LongSupplier nanoTime;
    private volatile @Nullable Thread taker;
    private volatile boolean closed;
    private long lastTaken;

    /**
     * @param capacity how many outcomes can wait before work stops; a quarter of them fills a batch
     * @param underWay returns how many outcomes are waiting or expected
     */
    OutcomeQueue(int capacity, IntSupplier underWay, LongSupplier nanoTime) {
        this.fullBatch = Math.max(1, Math.min(MAX_FULL_BATCH, capacity / 4));
        this.underWay = underWay;
        this.nanoTime = nanoTime;
        this.lastTaken = nanoTime.getAsLong() - WINDOW_NANOS;
    }

    /**
     * An outcome to store.
     *
     * @param isAwaited whether somebody waits for it
     * @param since the {@link System#nanoTime} when it was given
     */
    record Item(Settlement settlement, boolean isAwaited, CompletableFuture<Boolean> stored, long since) {

        String deliveryId() {
            return settlement.claimed().deliveryId();
        }
    }

    void add(Item item) {
        items.add(item);
        size.incrementAndGet();
        if (item.isAwaited()) {
            awaited.incrementAndGet();
        }
        Thread waiting = taker;
        if (waiting != null && mustTake()) {
            LockSupport.unpark(waiting);
        }
    }

    private boolean mustTake() {
        int waiting = size.get();
        return closed || awaited.get() != 0 || waiting >= fullBatch || waiting >= underWay.getAsInt();
    }

    boolean isEmpty() {
        return items.isEmpty();
    }

    /** Waits no longer for batches to fill. */
    void close() {
        closed = true;
        LockSupport.unpark(taker);
    }

    /**
     * Waits until a batch should be stored, and moves it. A second outcome of a delivery, under another claim, is left for the
     * next batch: only one of them can be stored.
     */
    void takeInto(List<Item> batch) {
        awaitBatch();
        Set<String> deliveries = new HashSet<>();
        Item item = items.peek();
        while (item != null && batch.size() < LARGEST_BATCH && deliveries.add(item.deliveryId())) {
            batch.add(item); // first: memory may be exhausted
            items.remove();
            size.decrementAndGet();
            if (item.isAwaited()) {
                awaited.decrementAndGet();
            }
            item = items.peek();
        }
    }

    private void awaitBatch() {
        taker = Thread.currentThread();
        long now = nanoTime.getAsLong();
        while (!mustTake() && now - lastTaken < WINDOW_NANOS) {
            LockSupport.parkNanos(this, WINDOW_NANOS - (now - lastTaken));
            now = nanoTime.getAsLong();
        }
        taker = null;
        lastTaken = now;
    }
}
