package io.credential.webhook.delivery.engine;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.micrometer.observation.ObservationRegistry;

import io.credential.notification.NodeNotifications;
import io.credential.secret.RandomHex;
import io.credential.storage.CredentialDatabase;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DispatchResult;
import io.credential.webhook.delivery.DispatcherActivity;
import io.credential.webhook.delivery.DispatcherBacklog;
import io.credential.webhook.delivery.DispatcherOptions;
import io.credential.webhook.delivery.RetryResult;
import io.credential.webhook.delivery.attempt.AttemptRunner;
import io.credential.webhook.delivery.queue.BacklogReader;
import io.credential.webhook.delivery.queue.Claim;
import io.credential.webhook.delivery.queue.ClaimRecoverer;
import io.credential.webhook.delivery.queue.ClaimedDelivery;
import io.credential.webhook.delivery.queue.DeathEventRaiser;
import io.credential.webhook.delivery.queue.DeathReporter;
import io.credential.webhook.delivery.queue.DeliveryQueue;
import io.credential.webhook.delivery.queue.DispatcherLease;
import io.credential.webhook.delivery.queue.DispatcherTables;
import io.credential.webhook.delivery.queue.OperationalEvents;
import io.credential.webhook.delivery.queue.SeenDelivery;
import io.credential.webhook.delivery.queue.Settler;

/**
 * Processes stored deliveries on this node: reserves or claims them, attempts them as there is capacity, and stores the
 * outcomes. Other packages use only this class of the package. Thread-safe.
 *
 * @since 0.1.0
 */
public final class DeliveryEngine {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryEngine.class);

    /** Lets outcomes be stored that arrive at the very end of the grace period. */
    private static final Duration LAST_OUTCOMES = Duration.ofSeconds(2);

    private final AttemptRunner attempts;
    private final DueEndpoints dueEndpoints = new DueEndpoints();
    private final Wakeup wakeup;
    private final ClaimRecoverer recoverer;
    private final DispatcherLease lease;
    private final DeliveryRunner runner;
    private final DeliveryClaimer claimer;
    private final AwaitedAttempts awaited;
    private final DeliveryLoop loop;
    private final DueNotifications dueNotifications;
    private final BacklogReader backlog;
    private volatile boolean started;
    private volatile boolean stopped;

    public DeliveryEngine(
            DispatcherOptions options,
            CredentialDatabase database,
            DispatcherTables tables,
            AttemptRunner attempts,
            DeathReporter deaths,
            OperationalEvents events,
            NodeNotifications notifications,
            ObservationRegistry observations,
            InstantSource clock,
            SecureRandom random) {
        DeliveryQueue queue = DeliveryQueue.of(database, tables, options.inlinePayloadBytes());
        this.attempts = attempts;
        this.wakeup = new Wakeup(clock);
        this.recoverer = new ClaimRecoverer(
                database,
                tables,
                options.claimReclaimAfter(),
                attempts.rates().nodes(),
                this::scanAgain,
                clock,
                System::nanoTime);
        this.lease = new DispatcherLease(
                database,
                tables,
                new RandomHex(random),
                attempts.rates().nodes(),
                this::hasClaims,
                recoverer::scan,
                this::free);
        this.runner = new DeliveryRunner(
                options,
                attempts,
                new Settler(
                        DeathEventRaiser.settling(queue, database, events),
                        queue::settledBefore,
                        options.claimReclaimAfter().toMillis(),
                        observations),
                dueEndpoints,
                wakeup,
                deaths,
                new EndpointHealthReporter(clock),
                clock,
                claim -> lease.isHeld(claim.owner()),
                attempts.threads());
        this.claimer = new DeliveryClaimer(queue, dueEndpoints, lease, recoverer, runner, observations, clock, random);
        this.awaited = new AwaitedAttempts(options.batchSize(), claimer, runner, observations);
        this.loop = new DeliveryLoop(options.batchSize(), claimer, runner, wakeup);
        this.backlog = new BacklogReader(database, tables, queue, clock);
        this.dueNotifications = new DueNotifications(notifications, tables.deliveries(), loop::poll);
    }

    /**
     * Returns a new claim for an event that is about to be stored, or null if there is no capacity for its deliveries.
     *
     * @throws IllegalStateException after {@link #close}
     */
    public @Nullable Claim reserve() {
        return claimer.reserve();
    }

    /**
     * Returns a claim for an event in a transaction of the caller, or null if there is no capacity or this node does not
     * hold its lease, because the transaction must not wait for it. Call {@link #ended} when the transaction has ended; the
     * lease is kept until then.
     *
     * @throws IllegalStateException after {@link #close}
     */
    public @Nullable Claim reserveInTransaction() {
        return claimer.reserveInTransaction();
    }

    /** Ends a reservation of {@link #reserveInTransaction} after its transaction; null is ignored. */
    public void ended(@Nullable Claim claim) {
        claimer.ended(claim);
    }

    /** For a while, releases deliveries that turn out to be stored under this claim; this node does not attempt them. */
    public void lost(Claim claim) {
        recoverer.lost(claim);
    }

    /** Claims one delivery if it has not changed since it was read; otherwise returns an empty list. */
    public List<ClaimedDelivery> claimOne(SeenDelivery seen) {
        return claimer.claimOne(seen);
    }

    /** Attempts deliveries in the background, as soon as there is capacity. */
    public void deliver(Collection<ClaimedDelivery> deliveries) {
        runner.deliver(deliveries);
    }

    /**
     * Attempts all deliveries of an event at once, and waits for the outcomes. Attempts that are still running after the
     * longest wait continue, and are shown as in flight. Endpoints whose last attempt timed out are not waited for.
     *
     * @param others other deliveries to include in the result
     */
    public DispatchResult attempt(List<ClaimedDelivery> claimed, List<Delivery> others, Duration longest) {
        return awaited.attempt(claimed, others, longest);
    }

    /** Attempts one delivery, and waits for the outcome; after the longest wait it continues, and is shown as in flight. */
    public Delivery attempt(ClaimedDelivery claimed, Duration longest) {
        return awaited.attempt(claimed, longest);
    }

    /**
     * Notes that these endpoints have pending deliveries, due since a time in Unix milliseconds. Notifies other nodes if this
     * node cannot attempt them at once.
     */
    public void due(Collection<String> endpointIds, long dueAt) {
        if (!endpointIds.isEmpty()) {
            endpointIds.forEach(endpointId -> dueEndpoints.add(endpointId, dueAt));
            wakeup.now();
            if (!started
                    || !runner.hasCapacity()
                    || runner.lanes().isAnyFull(endpointIds)
                    || runner.rates().isAnyHeld(endpointIds)) {
                dueNotifications.publish();
            }
        }
    }

    /** Makes the loops of all nodes look for due deliveries that they do not know about. */
    public void scanAgain() {
        dueEndpoints.markIncomplete();
        wakeup.now();
        dueNotifications.publish();
    }

    /** Makes the loop claim what may have become possible to attempt. */
    public void wakeUp() {
        wakeup.now();
    }

    /** Makes the loop look for due deliveries, as soon as the pause after the last scan is over. */
    public void poll() {
        if (started) {
            loop.poll();
        }
    }

    /** Returns the ids of endpoints for which no more deliveries can be taken at the moment. */
    public Set<String> fullEndpoints() {
        return runner.lanes().full();
    }

    /** Claims up to a batch of what is due, attempts it, and waits for the outcomes. Does nothing after {@link #stop}. */
    public RetryResult processRetries() {
        return stopped ? new RetryResult(0, 0, 0) : awaited.attemptDue();
    }

    /** Reads how many deliveries are not delivered. */
    public DispatcherBacklog backlog() {
        return backlog.read();
    }

    /** Returns what this node does, without reading from the database. */
    public DispatcherActivity activity() {
        int running = runner.lanes().running();
        int waiting = runner.lanes().waiting();
        return new DispatcherActivity(
                started,
                loop.sinceLastSuccess(),
                running,
                waiting,
                // The three are not read at once.
                Math.max(0, runner.outstanding() - running - waiting));
    }

    /** Returns whether due deliveries are attempted in the background. */
    public boolean isStarted() {
        return started;
    }

    /** Starts attempting due deliveries in the background. */
    public void start() {
        stopped = false;
        attempts.open();
        runner.lanes().open();
        loop.start();
        started = true;
        dueNotifications.subscribe();
    }

    /**
     * Stops claiming, waits up to the grace period for running attempts, then cancels those that remain and releases the
     * deliveries that were not attempted.
     *
     * @param grace how long to wait for running attempts
     */
    public void stop(Duration grace) {
        boolean wasStarted = started;
        started = false;
        dueNotifications.unsubscribe();
        loop.stop();
        runner.lanes().close();
        boolean finished = runner.awaitIdle(grace);
        attempts.endExchanges();
        if (!finished && !runner.awaitIdle(LAST_OUTCOMES)) {
            LOG.warn("Webhook attempts are still in flight after the grace period; their outcomes may not be stored");
        }
        lease.release();
        if (wasStarted) {
            dueNotifications.publish(); // of the deliveries that this node has released
        }
        stopped = true;
    }

    /**
     * Stops permanently.
     *
     * @param grace how long to wait for running attempts; ignored after {@link #stop}, which has already waited
     */
    public void close(Duration grace) {
        claimer.close();
        stop(stopped ? Duration.ZERO : grace);
        lease.close();
        attempts.close();
        runner.close();
    }

    private void free() {
        runner.storeWaiting();
        recoverer.free();
    }

    private boolean hasClaims() {
        return !runner.isIdle() || recoverer.isPending() || claimer.hasOpenReservations();
    }
}
