package io.credential.secret.internal;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Bounds how many hashes hold memory at once, how many callers wait for them, and how long. First come, first served. A
 * caller that finds the queue full is rejected immediately, so that a flood of tokens does not occupy every thread.
 */
final class HashPermits {

    /** Waiting callers for each permit: a longer queue would hardly be served within the usual wait. */
    static final int MAX_WAITING_PER_PERMIT = 8;

    private final Semaphore permits;
    private final AtomicInteger callers = new AtomicInteger();
    private final long maxCallers;
    private final int count;
    private final Duration maxWait;

    HashPermits(int count, Duration maxWait) {
        this.permits = new Semaphore(count, true);
        this.count = count;
        this.maxCallers = count * (1L + MAX_WAITING_PER_PERMIT);
        this.maxWait = maxWait;
    }

    /**
     * @throws HasherBusyException if too many wait already, no permit was free in time, or the thread was interrupted
     *     while it waited
     */
    <T> T with(Supplier<T> work) {
        try {
            if (callers.incrementAndGet() > maxCallers) {
                throw new HasherBusyException("All " + count + " permits for costly hashes are taken, and "
                        + MAX_WAITING_PER_PERMIT + " callers wait for each of them; retry later");
            }
            acquire();
            try {
                return work.get();
            } finally {
                permits.release();
            }
        } finally {
            callers.decrementAndGet();
        }
    }

    private void acquire() {
        boolean acquired;
        try {
            acquired = permits.tryAcquire(TimeUnit.NANOSECONDS.convert(maxWait), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HasherBusyException("Interrupted while waiting for a permit to hash");
        }
        if (!acquired) {
            throw new HasherBusyException(
                    "All " + count + " permits for costly hashes stayed taken for " + maxWait.toMillis()
                            + " ms; allow more hashes at once or a longer wait if the machine has memory and cores to spare");
        }
    }
}
