package io.credential.spring.webhook.internal;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.signature.PresentedSignature;

/**
 * Limits how many verifications run and wait at once; further ones are rejected. Verifying a post-quantum signature
 * takes milliseconds of CPU time, and anyone who knows a kid can request it. Shared by all checks that use the same
 * processors. Thread-safe.
 */
public final class VerificationTurns {

    /** How many wait for their turn: few enough to leave server threads for other requests. */
    private static final int WAITING = 32;

    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    /** One for each verification that runs or waits. */
    private final Semaphore places;

    private final Semaphore turns;
    private final Duration maxWait;

    /**
     * @param running how many can run at once
     * @param waiting how many can wait
     * @param maxWait how long each of them waits before it is rejected
     * @throws IllegalArgumentException if running is less than 1, or another value is negative
     */
    public VerificationTurns(int running, int waiting, Duration maxWait) {
        if (running < 1 || waiting < 0 || maxWait.isNegative()) {
            throw new IllegalArgumentException("running must be at least 1, and waiting and maxWait must not be"
                    + " negative, but they are " + running + ", " + waiting + " and " + maxWait);
        }
        this.places = new Semaphore(Math.addExact(running, waiting));
        this.turns = new Semaphore(running);
        this.maxWait = maxWait;
    }

    /**
     * Leaves half of the processors to other work.
     *
     * @param processors the number of processors of the machine
     */
    public static VerificationTurns onHalfOf(int processors) {
        return new VerificationTurns(Math.max(1, processors / 2), WAITING, MAX_WAIT);
    }

    /**
     * Returns a check that takes a turn for each verification, and releases it before the nonce store and the audit sink
     * are called: if these block, other senders must not wait. If too many wait, the check rejects a request before its
     * body is read.
     */
    public SignatureCheck bounding(SignatureCheck check) {
        return request -> {
            PresentedSignature<?> presented = check.examine(request);
            orAbandon(presented, this::requirePlace);
            return new PresentedSignature<Object>() {

                @Override
                public Object verify(byte @Nullable [] body, Runnable signatureChecked) {
                    orAbandon(presented, VerificationTurns.this::acquire);
                    AtomicBoolean held = new AtomicBoolean(true);
                    try {
                        return presented.verify(body, () -> {
                            release(held);
                            signatureChecked.run();
                        });
                    } finally {
                        release(held);
                    }
                }

                @Override
                public void abandon(String reason) {
                    presented.abandon(reason);
                }

                @Override
                public void forget() {
                    presented.forget();
                }
            };
        };
    }

    private static void orAbandon(PresentedSignature<?> presented, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            presented.abandon("overloaded");
            throw e;
        }
    }

    /** Returns how many can start without waiting. */
    int free() {
        return turns.availablePermits();
    }

    /**
     * Fails if no place is free. Takes none, so that slow senders cannot occupy one.
     *
     * @throws TooManyVerificationsException if all places are taken
     */
    void requirePlace() {
        if (places.availablePermits() == 0) {
            throw new TooManyVerificationsException("all places are taken");
        }
    }

    /**
     * Waits for a turn.
     *
     * @throws TooManyVerificationsException if all places are taken, or the maximum wait is over
     */
    void acquire() {
        if (!places.tryAcquire()) {
            throw new TooManyVerificationsException("all places are taken");
        }
        boolean acquired = false;
        try {
            acquired = turns.tryAcquire(maxWait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting to verify a signature", e);
        } finally {
            if (!acquired) {
                places.release();
            }
        }
        if (!acquired) {
            throw new TooManyVerificationsException("no turn within " + maxWait);
        }
    }

    private void release(AtomicBoolean held) {
        if (held.getAndSet(false)) {
            turns.release();
            places.release();
        }
    }

    /** Thrown when more verifications are requested than can run or wait. Unauthenticated senders can cause it. */
    static final class TooManyVerificationsException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private TooManyVerificationsException(String why) {
            super("Too many signatures are being verified: " + why);
        }
    }
}
