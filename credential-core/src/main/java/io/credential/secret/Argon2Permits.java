package io.credential.secret;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Bounds how many hashes hold memory at once, and how long others wait for them. First come, first served. */
final class Argon2Permits {

    private final Semaphore permits;
    private final int count;
    private final Duration maxWait;

    Argon2Permits(int count, Duration maxWait) {
        this.permits = new Semaphore(count, true);
        this.count = count;
        this.maxWait = maxWait;
    }

    /**
     * @throws HasherBusyException if no permit was free in time, or the thread was interrupted while it waited
     */
    <T> T with(Supplier<T> work) {
        acquire();
        try {
            return work.get();
        } finally {
            permits.release();
        }
    }

    private void acquire() {
        boolean acquired;
        try {
            acquired = permits.tryAcquire(TimeUnit.NANOSECONDS.convert(maxWait), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HasherBusyException("Interrupted while waiting for a permit to hash with Argon2id");
        }
        if (!acquired) {
            throw new HasherBusyException(
                    "All " + count + " permits for Argon2id stayed taken for " + maxWait.toMillis()
                            + " ms; allow more hashes at once or a longer wait if the machine has memory and cores to spare");
        }
    }
}
