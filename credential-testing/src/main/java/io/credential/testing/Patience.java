package io.credential.testing;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;

/**
 * Waits for what must happen. This is the only place in the tests that limits a wait: the limit is so long that only
 * what never happens exceeds it, however slow the machine is.
 */
public final class Patience {

    /** How long a test waits, also where it configures a timeout that must not expire. */
    public static final Duration LIMIT = Duration.ofMinutes(5);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private Patience() {}

    /** Waits until the condition holds. */
    public static void until(Callable<Boolean> condition) {
        Awaitility.await().atMost(LIMIT).pollInterval(POLL_INTERVAL).until(condition);
    }

    /** Waits until the assertion passes. */
    public static void untilAsserted(ThrowingRunnable assertion) {
        Awaitility.await().atMost(LIMIT).pollInterval(POLL_INTERVAL).untilAsserted(assertion);
    }

    /**
     * Waits until nothing remains, for as long as the number changes. Fails when it has been the same for the whole
     * limit: then the rest is stranded, and not just slow.
     *
     * @param what names what remains, for the message
     */
    public static void untilNone(String what, LongSupplier remaining) {
        long last = remaining.getAsLong();
        while (last > 0) {
            long before = last;
            last = Awaitility.await(before + " stranded: " + what)
                    .atMost(LIMIT)
                    .pollInterval(POLL_INTERVAL)
                    .until(remaining::getAsLong, now -> now != before);
        }
    }

    /** Waits until the latch is open. */
    public static void await(CountDownLatch latch) {
        uninterrupted(() -> {
            if (!latch.await(LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new TimeoutException("the latch is still closed");
            }
            return true;
        });
    }

    /** Waits until all parties have arrived. */
    public static void await(CyclicBarrier barrier) {
        uninterrupted(() -> barrier.await(LIMIT.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Takes permits, when they are there. */
    public static void acquire(Semaphore semaphore, int permits) {
        uninterrupted(() -> {
            if (!semaphore.tryAcquire(permits, LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new TimeoutException("permits are missing");
            }
            return true;
        });
    }

    /** Waits until the thread has ended. */
    public static void join(Thread thread) {
        uninterrupted(() -> {
            thread.join(LIMIT.toMillis());
            if (thread.isAlive()) {
                throw new TimeoutException(thread + " still runs");
            }
            return true;
        });
    }

    /** Waits until the process has ended, and returns its exit code. */
    public static int exitValue(Process process) {
        return uninterrupted(() -> {
            if (!process.waitFor(LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new TimeoutException(process + " still runs");
            }
            return process.exitValue();
        });
    }

    /** Waits for the result. */
    public static <T> T get(Future<T> future) throws ExecutionException {
        try {
            return future.get(LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for a result", e);
        } catch (TimeoutException e) {
            throw new AssertionError("There is no result after " + LIMIT, e);
        }
    }

    /** Waits for the result, which must not be a failure. */
    public static <T> T join(Future<T> future) {
        try {
            return get(future);
        } catch (ExecutionException e) {
            throw new AssertionError("Expected a result", e);
        }
    }

    private static <T> T uninterrupted(Callable<T> wait) {
        try {
            return wait.call();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting", e);
        } catch (Exception e) {
            throw new AssertionError("Waited for " + LIMIT + " in vain", e);
        }
    }
}
