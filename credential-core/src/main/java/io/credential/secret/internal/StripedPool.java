package io.credential.secret.internal;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Keeps a bounded number of costly objects for reuse without locks. Unlike a thread local it does not grow with the
 * number of threads, of which virtual ones make many. Thread-safe; the objects themselves need not be.
 *
 * @param <T> the kind of object that is kept
 */
public final class StripedPool<T> {

    /** Slots are a cache line apart, so that threads do not slow each other down. */
    private static final int STRIDE = 16;

    private static final int MAX_STRIPES = 64;

    private final AtomicReferenceArray<@Nullable T> slots;
    private final int mask;
    private final Supplier<T> factory;

    /**
     * @param factory creates an object in the state in which {@link #give} expects it
     */
    public StripedPool(Supplier<T> factory) {
        int wanted = Math.min(MAX_STRIPES, 2 * Runtime.getRuntime().availableProcessors());
        int stripes = Integer.highestOneBit(2 * wanted - 1);
        this.slots = new AtomicReferenceArray<>(stripes * STRIDE);
        this.mask = stripes - 1;
        this.factory = factory;
    }

    /** Returns an object for this caller alone until it gives it back; a new one if the pool is empty. */
    public T take() {
        int start = start();
        for (int i = 0; i <= mask; i++) {
            int slot = ((start + i) & mask) * STRIDE;
            if (slots.getPlain(slot) != null) {
                T pooled = slots.getAndSet(slot, null);
                if (pooled != null) {
                    return pooled;
                }
            }
        }
        return factory.get();
    }

    /** Gives an object back, ready for the next caller; replaces one that is already in its slot. */
    public void give(T object) {
        slots.setRelease((start() & mask) * STRIDE, object);
    }

    private static int start() {
        return (int) Thread.currentThread().getId();
    }
}
