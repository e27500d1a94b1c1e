package io.credential.webhook.delivery.internal.queue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
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
 * last, unless there are enough outcomes, somebody waits for one, or no other outcome is to come. The first outcome after a
 * pause is therefore taken at once. Thread-safe; one thread takes.
 */
final class OutcomeQueue {

    private static final int LARGEST_BATCH = 500;

    /** A statement for a hundred outcomes costs little more processor time per outcome than one for more. */
    private static final int MOST_ENOUGH = 100;

    private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Queue<Item> items = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicInteger awaited = new AtomicInteger();
    private final int enough;
    private final IntSupplier underWay;
    private final LongSupplier nanoTime;
    private volatile @Nullable Thread taker;
    private volatile boolean closed;
    private long lastTaken;

    /**
     * @param capacity how many outcomes can wait before work stops; a quarter of them is enough for a batch
     * @param underWay returns how many outcomes wait or are to come
     */
    OutcomeQueue(int capacity, IntSupplier underWay, LongSupplier nanoTime) {
        this.enough = Math.max(1, Math.min(MOST_ENOUGH, capacity / 4));
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
        return closed || awaited.get() != 0 || waiting >= enough || waiting >= underWay.getAsInt();
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
     * Waits until a batch should be stored, and takes it. A second outcome of a delivery, under another claim, is left for the
     * next batch: only one of them can be stored.
     */
    List<Item> take() {
        awaitBatch();
        Map<String, Item> batch = new LinkedHashMap<>();
        Item item = items.peek();
        while (item != null && batch.size() < LARGEST_BATCH && batch.putIfAbsent(item.deliveryId(), item) == null) {
            items.remove();
            size.decrementAndGet();
            if (item.isAwaited()) {
                awaited.decrementAndGet();
            }
            item = items.peek();
        }
        return List.copyOf(batch.values());
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
