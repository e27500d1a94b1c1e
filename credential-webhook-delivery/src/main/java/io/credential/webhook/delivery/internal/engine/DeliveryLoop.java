package io.credential.webhook.delivery.internal.engine;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.micrometer.observation.ObservationRegistry;

import io.credential.internal.concurrent.OwnedSchedule;

/**
 * The background work: claims due deliveries, again immediately while there are more, otherwise after a wake-up or when a
 * known delivery becomes due. It never waits for an attempt. Thread-safe.
 */
final class DeliveryLoop {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryLoop.class);

    private static final Duration STOP_DEADLINE = Duration.ofSeconds(5);

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

    private final int batchSize;
    private final DeliveryClaimer claimer;
    private final DeliveryRuns runs;
    private final RetryRound round;
    private final Wakeup wakeup;
    private final OwnedSchedule schedule = new OwnedSchedule("credential-webhook-loop", STOP_DEADLINE, this::run);
    private volatile boolean running;
    private boolean failing;
    private @Nullable Throwable reported;
    private volatile long lastSuccess = System.nanoTime();

    DeliveryLoop(
            int batchSize,
            DeliveryClaimer claimer,
            DeliveryRuns runs,
            Wakeup wakeup,
            ObservationRegistry observations) {
        this.batchSize = batchSize;
        this.claimer = claimer;
        this.runs = runs;
        this.round = new RetryRound(observations, "background");
        this.wakeup = wakeup;
    }

    synchronized void start() {
        claimer.start();
        running = true;
        lastSuccess = System.nanoTime();
        schedule.start(Duration.ZERO, PAUSE_AFTER_FAILURE);
    }

    synchronized void stop() {
        running = false;
        wakeup.now();
        schedule.stop();
    }

    /** Returns the time since the last claim that succeeded, whether or not anything was due, or since the start. */
    Duration sinceLastSuccess() {
        return Duration.ofNanos(System.nanoTime() - lastSuccess);
    }

    private void run() {
        try {
            while (running) {
                if (!startDue()) {
                    wakeup.at(claimer.nextClaimAt());
                    wakeup.await(failing ? PAUSE_AFTER_FAILURE.toMillis() : claimer.millisToScan());
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("The background work was interrupted", e);
        }
    }

    /** Claims and starts what is due. Returns whether there may be more to claim at once. A database outage must not end the loop. */
    private boolean startDue() {
        try {
            DeliveryClaimer.Claimed claimed = claimer.claimDue(batchSize, round);
            runs.startAll(claimed.deliveries());
            lastSuccess = System.nanoTime();
            failing = false;
            return claimed.suggestsMore();
        } catch (RuntimeException | Error e) {
            // A scan that failed fails the claims that follow as well.
            LOG.atLevel(failing || e.equals(reported) || !running ? Level.DEBUG : Level.ERROR)
                    .setCause(e)
                    .log("Could not claim due webhook deliveries; retrying within {}", PAUSE_AFTER_FAILURE);
            failing = true;
            reported = e;
            return false;
        }
    }
}
