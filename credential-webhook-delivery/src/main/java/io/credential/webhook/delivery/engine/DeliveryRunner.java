package io.credential.webhook.delivery.engine;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatcherOptions;
import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.attempt.AttemptRunner;
import io.credential.webhook.delivery.attempt.EndpointRates;
import io.credential.webhook.delivery.queue.AttemptLog;
import io.credential.webhook.delivery.queue.Claim;
import io.credential.webhook.delivery.queue.ClaimedDelivery;
import io.credential.webhook.delivery.queue.DeathReporter;
import io.credential.webhook.delivery.queue.Settlement;
import io.credential.webhook.delivery.queue.Settler;
import io.credential.webhook.delivery.queue.Subscriber;

/** Takes claimed deliveries through a lane and an attempt to a stored outcome. Thread-safe. */
final class DeliveryRunner {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryRunner.class);

    /** One takeover is normal: a crash affects everything in flight. */
    private static final int SUSPECT_TAKEOVERS = 2;

    private static final long RELEASED_PAUSE_MILLIS = 1000;

    private final Lanes lanes;
    private final EndpointRates rates;
    private final AttemptRunner attempts;
    private final Settler settler;
    private final DueEndpoints dueEndpoints;
    private final Wakeup wakeup;
    private final DeathReporter deaths;
    private final EndpointHealthReporter health;
    private final Predicate<Claim> isHeld;
    private final InstantSource clock;

    /** An attempt without a response that took at least this long timed out: a refused connection fails at once. */
    private final long timedOutMillis;

    private final Semaphore suspectRuns = new Semaphore(1);
    private final Object idle = new Object();
    private int outstanding;

    /**
     * @param isHeld whether this node still holds a claim
     * @param threads start attempts
     */
    DeliveryRunner(
            DispatcherOptions options,
            AttemptRunner attempts,
            Settler settler,
            DueEndpoints dueEndpoints,
            Wakeup wakeup,
            DeathReporter deaths,
            EndpointHealthReporter health,
            InstantSource clock,
            Predicate<Claim> isHeld,
            Executor threads) {
        this.attempts = attempts;
        this.rates = attempts.rates();
        this.settler = settler;
        this.dueEndpoints = dueEndpoints;
        this.wakeup = wakeup;
        this.deaths = deaths;
        this.health = health;
        this.clock = clock;
        this.timedOutMillis = Math.max(1, options.requestTimeout().toMillis() / 2);
        this.isHeld = isHeld;
        this.lanes = new Lanes(options, threads, wakeup::now);
    }

    /** The outcome of a claim. It is not stored if another node has taken the delivery over, or the database fails. */
    record Settled(Settlement settlement, boolean stored) {}

    Lanes lanes() {
        return lanes;
    }

    EndpointRates rates() {
        return rates;
    }

    /** Returns how many deliveries of an endpoint can be claimed. */
    int capacity(String endpointId) {
        return capacity(endpointId, lanes::capacity);
    }

    /** Returns the same for the endpoints of one claim. */
    ToIntFunction<String> capacitiesOfOneClaim() {
        ToIntFunction<String> inLanes = lanes.capacitiesOfOneClaim();
        return endpointId -> capacity(endpointId, inLanes);
    }

    private int capacity(String endpointId, ToIntFunction<String> inLanes) {
        int admitted = rates.capacity(endpointId);
        return admitted == 0 ? 0 : Math.min(admitted, inLanes.applyAsInt(endpointId));
    }

    /** Returns how many deliveries can be claimed; 0 while attempts end faster than their outcomes are stored. */
    int capacity() {
        return storesTooSlowly() ? 0 : lanes.capacity();
    }

    /** Returns whether there is capacity for a delivery. */
    boolean hasCapacity() {
        return !storesTooSlowly() && lanes.hasCapacity();
    }

    private boolean storesTooSlowly() {
        synchronized (idle) {
            return outstanding >= 2 * lanes.size();
        }
    }

    /** Returns whether a suspect may be claimed: no other is in progress. */
    boolean takesSuspect() {
        return suspectRuns.availablePermits() > 0;
    }

    /** Attempts deliveries as soon as there is capacity, and stores the outcomes. */
    void deliver(Collection<ClaimedDelivery> deliveries) {
        for (ClaimedDelivery delivery : deliveries) {
            var unused = deliver(delivery);
        }
    }

    /**
     * Attempts a delivery as soon as there is capacity, and stores the outcome. One that the rate limit of its endpoint does not
     * admit is released at once: it takes no place while it waits. A delivery that was in flight when several
     * nodes crashed may be the cause. Such suspects run one at a time, so that only the cause reaches its last attempt.
     *
     * @return the outcome; never fails
     */
    CompletableFuture<Settled> deliver(ClaimedDelivery delivery) {
        Run run = new Run(delivery);
        synchronized (idle) {
            outstanding++;
        }
        if (run.isSuspect() && !suspectRuns.tryAcquire()) {
            settle(postponed(delivery), run.settled, () -> {});
        } else if (!rates.reserve(delivery) || !lanes.begin(delivery.endpointId(), run)) {
            run.abandon();
        }
        return run.settled;
    }

    /** Returns how many deliveries this node has taken whose outcome is not stored yet. */
    int outstanding() {
        synchronized (idle) {
            return outstanding;
        }
    }

    boolean isIdle() {
        synchronized (idle) {
            return outstanding == 0;
        }
    }

    /** Waits until every outcome is stored; returns false if that takes longer or the thread is interrupted. */
    boolean awaitIdle(Duration longest) {
        long deadline = System.nanoTime() + longest.toNanos();
        synchronized (idle) {
            while (outstanding > 0) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0) {
                    return false;
                }
                try {
                    idle.wait(left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }
            return true;
        }
    }

    /** To be called about once a second. */
    void storeWaiting() {
        settler.storeWaiting();
    }

    void close() {
        settler.close();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the derived future only passes the outcome on
    private void settle(Settlement settlement, CompletableFuture<Settled> result, Runnable onEnd) {
        settler.settle(settlement).whenComplete((stored, failure) -> {
            boolean isStored = Boolean.TRUE.equals(stored);
            try {
                report(settlement, isStored);
            } finally {
                ended();
                onEnd.run(); // first: whoever waits for the result may claim the next suspect at once
                result.complete(new Settled(settlement, isStored));
            }
        });
    }

    private Settlement postponed(ClaimedDelivery delivery) {
        long capacityAt = rates.capacityAt(delivery.endpointId());
        long soon = clock.millis() + RELEASED_PAUSE_MILLIS;
        return Settlement.postponed(delivery, capacityAt == Long.MAX_VALUE ? soon : Math.max(soon, capacityAt));
    }

    private void report(Settlement settlement, boolean stored) {
        ClaimedDelivery delivery = settlement.claimed();
        DeadReason reason = settlement.reason();
        if (settlement.attempted()) {
            health.attempted(delivery, settlement.error());
        }
        if (!stored) {
            return; // the settler has logged why
        }
        if (reason != null) {
            deaths.died(
                    delivery.deliveryId(), delivery.endpointId(), delivery.eventType(), settlement.attempts(), reason);
        } else if (settlement.status() == DeliveryStatus.PENDING) {
            dueEndpoints.add(delivery.endpointId(), settlement.nextAttemptAt());
            // A delivery that was released at once cannot be attempted at once either.
            wakeup.at(
                    settlement.attempted()
                            ? settlement.nextAttemptAt()
                            : Math.max(settlement.nextAttemptAt(), clock.millis() + RELEASED_PAUSE_MILLIS));
        }
    }

    private void ended() {
        boolean storesFastEnoughAgain;
        synchronized (idle) {
            storesFastEnoughAgain = storesTooSlowly();
            outstanding--;
            storesFastEnoughAgain &= !storesTooSlowly();
            if (outstanding == 0) {
                idle.notifyAll();
            }
        }
        if (storesFastEnoughAgain) {
            wakeup.now();
        }
    }

    private final class Run implements Lanes.Task {

        private final ClaimedDelivery delivery;
        private final CompletableFuture<Settled> settled = new CompletableFuture<>();

        Run(ClaimedDelivery delivery) {
            this.delivery = delivery;
        }

        boolean isSuspect() {
            return delivery.takeovers() >= SUSPECT_TAKEOVERS;
        }

        @Override
        public long bytesToLoad() {
            if (delivery.payload() != null) {
                return 0;
            }
            Subscriber subscriber = delivery.subscriber();
            boolean isEnvelope = subscriber != null && subscriber.payloadFormat() == PayloadFormat.ENVELOPE;
            return isEnvelope ? 2L * delivery.payloadSize() : delivery.payloadSize(); // an envelope is a copy
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the derived future only passes the outcome on
        public void begin() {
            attempt().whenComplete((settlement, failure) -> {
                try {
                    lanes.end(delivery.endpointId(), this, answer(settlement));
                } finally {
                    settle(settlement == null ? Settlement.released(delivery) : settlement);
                }
            });
        }

        /** Never throws: the place in the lane must be freed. */
        private CompletableFuture<Settlement> attempt() {
            try {
                return attempts.attempt(delivery, isHeld);
            } catch (Throwable e) {
                LOG.error("Could not attempt the delivery {}; its claim is released", delivery.deliveryId(), e);
                return CompletableFuture.failedFuture(e);
            }
        }

        @Override
        public void abandon() {
            // A released suspect would be claimed again at once, because it is always the next.
            settle(isSuspect() ? postponed(delivery) : Settlement.released(delivery));
        }

        private Lanes.Answer answer(@Nullable Settlement settlement) {
            AttemptLog log = settlement == null ? null : settlement.log();
            if (log == null) {
                return Lanes.Answer.NONE;
            }
            if (log.responseStatus() != null) {
                return Lanes.Answer.ANSWERED;
            }
            return log.duration() >= timedOutMillis ? Lanes.Answer.TIMED_OUT : Lanes.Answer.NONE;
        }

        private void settle(Settlement settlement) {
            rates.end(delivery);
            DeliveryRunner.this.settle(settlement, settled, isSuspect() ? this::admitNextSuspect : () -> {});
        }

        /** Not before the outcome is stored: the next suspect may crash this process. */
        private void admitNextSuspect() {
            suspectRuns.release();
            wakeup.now();
        }
    }
}
