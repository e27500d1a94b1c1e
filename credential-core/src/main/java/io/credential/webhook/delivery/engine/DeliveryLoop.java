package io.credential.webhook.delivery.engine;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.webhook.delivery.DispatcherOptions;
import io.credential.webhook.delivery.queue.ClaimedDelivery;

/**
 * The background work: claims due deliveries, again immediately while there are more, otherwise on a wake-up or when a known
 * delivery becomes due; never waits for an attempt. Thread-safe.
 */
final class DeliveryLoop {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryLoop.class);

    private static final Duration STOP_DEADLINE = Duration.ofSeconds(5);

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

    private final DispatcherOptions options;
    private final DeliveryClaimer claimer;
    private final DeliveryRunner runner;
    private final Wakeup wakeup;
    private final Worker worker = new Worker();

    DeliveryLoop(DispatcherOptions options, DeliveryClaimer claimer, DeliveryRunner runner, Wakeup wakeup) {
        this.options = options;
        this.claimer = claimer;
        this.runner = runner;
        this.wakeup = wakeup;
    }

    void start() {
        var unused = claimer.poll();
        worker.start();
    }

    void stop() {
        worker.stop();
    }

    /** Asks for a look at the table, and wakes the loop if the look is due. */
    void poll() {
        if (claimer.poll()) {
            wakeup.now();
        }
    }

    /** Whether there may be more to claim at once. */
    private boolean round() {
        DeliveryClaimer.Claimed claimed = claimer.claim(options.batchSize());
        for (ClaimedDelivery delivery : claimed.deliveries()) {
            // The outcome is stored, and later attempts follow from it.
            var unused = runner.deliver(delivery);
        }
        return claimed.suggestsMore();
    }

    private final class Worker {

        private @Nullable Thread thread;
        private volatile boolean running;
        private boolean failing;

        synchronized void start() {
            if (thread != null) {
                return;
            }
            running = true;
            Thread starting = new Thread(this::run, "credential-webhook-loop");
            starting.setDaemon(true);
            thread = starting;
            starting.start();
        }

        synchronized void stop() {
            Thread stopping = thread;
            thread = null;
            running = false;
            if (stopping == null) {
                return;
            }
            wakeup.now();
            try {
                stopping.join(STOP_DEADLINE.toMillis());
                if (stopping.isAlive()) {
                    stopping.interrupt();
                }
            } catch (InterruptedException e) {
                stopping.interrupt();
                Thread.currentThread().interrupt();
            }
        }

        private void run() {
            try {
                while (running) {
                    if (!roundThatFailsSoftly()) {
                        wakeup.at(claimer.nextClaimAt());
                        wakeup.await((failing ? PAUSE_AFTER_FAILURE : LookPace.LONGEST_PAUSE).toMillis());
                    }
                }
            } catch (InterruptedException e) {
                LOG.debug("The background work was told to end", e);
            }
        }

        /** A database outage must not end the background work. */
        private boolean roundThatFailsSoftly() {
            try {
                boolean more = round();
                failing = false;
                return more;
            } catch (RuntimeException | Error e) {
                String problem = "Could not claim due webhook deliveries; retrying within {}";
                if (failing) {
                    LOG.debug(problem, PAUSE_AFTER_FAILURE, e);
                } else {
                    LOG.error(problem, PAUSE_AFTER_FAILURE, e);
                }
                failing = true;
                return false;
            }
        }
    }
}
