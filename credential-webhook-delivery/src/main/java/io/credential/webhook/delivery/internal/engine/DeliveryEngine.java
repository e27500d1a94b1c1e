package io.credential.webhook.delivery.internal.engine;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.webhook.delivery.DispatcherActivity;
import io.credential.webhook.delivery.DispatcherBacklog;
import io.credential.webhook.delivery.RetryResult;
import io.credential.webhook.delivery.internal.DispatcherOptions;
import io.credential.webhook.delivery.internal.attempt.AttemptReporter;
import io.credential.webhook.delivery.internal.attempt.AttemptSources;
import io.credential.webhook.delivery.internal.attempt.AttemptThreads;
import io.credential.webhook.delivery.internal.attempt.OutcomePolicy;
import io.credential.webhook.delivery.internal.attempt.RequestSender;
import io.credential.webhook.delivery.internal.queue.BacklogReader;
import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.ClaimRecoverer;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.DeathReporter;
import io.credential.webhook.delivery.internal.queue.DeliveryQueue;
import io.credential.webhook.delivery.internal.queue.DispatcherContext;
import io.credential.webhook.delivery.internal.queue.DispatcherLease;
import io.credential.webhook.delivery.internal.queue.SeenDelivery;
import io.credential.webhook.delivery.internal.queue.Settlement;
import io.credential.webhook.delivery.internal.queue.Settler;

/**
 * Processes stored deliveries on this node: reserves or claims them, attempts them as there is capacity, and stores the
 * outcomes. Other packages reach what runs here through this class. Thread-safe.
 */
public final class DeliveryEngine {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryEngine.class);

    /** Lets outcomes be stored that arrive at the very end of the grace period. */
    private static final Duration LAST_OUTCOMES = Duration.ofSeconds(2);

    private final DueSignals signals;
    private final Admission admission;
    private final RequestSender sender;
    private final AttemptThreads threads;
    private final ClaimRecoverer recoverer;
    private final Settler settler;
    private final DispatcherLease lease;
    private final ClaimIssuer claims;
    private final DeliveryRuns runs;
    private final DeliveryClaimer claimer;
    private final AwaitedDeliveries awaited;
    private final DeliveryLoop loop;
    private final BacklogReader backlog;
    private volatile boolean started;
    private volatile boolean stopped;

    /** @param statistics counts outcomes that were stored */
    public DeliveryEngine(
            DispatcherContext context,
            DueSignals signals,
            AttemptSources sources,
            RequestSender sender,
            AttemptReporter attempts,
            DeathReporter deaths,
            Consumer<Settlement> statistics) {
        DispatcherOptions options = context.options();
        InstantSource clock = context.clock();
        DeliveryQueue queue = DeliveryQueue.of(context.database(), context.tables(), options.inlinePayloadBytes());
        this.signals = signals;
        this.admission = signals.admission();
        this.sender = sender;
        this.threads = sources.threads();
        this.recoverer = recoverer(context, signals);
        this.settler = settler(context, admission, deaths, queue);
        this.lease = lease(context, admission, recoverer, settler);
        this.runs = new DeliveryRuns(
                admission,
                claim -> lease.isHeld(claim.owner()),
                sources,
                sender,
                new OutcomePolicy(options, context.random()),
                attempts,
                settler,
                new OutcomeReporter(deaths::audit, statistics, new EndpointHealthReporter(clock), signals, clock),
                clock);
        this.claims = new ClaimIssuer(lease, admission, clock, context.random());
        TableScanner scanner = new TableScanner(queue, signals, lease, clock);
        this.claimer = new DeliveryClaimer(queue, signals, scanner, claims, lease, recoverer, clock);
        this.awaited = new AwaitedDeliveries(options.batchSize(), claimer, runs, context.observations());
        this.loop = new DeliveryLoop(options.batchSize(), claimer, runs, signals.wakeup(), context.observations());
        this.backlog = new BacklogReader(context.database(), context.tables(), queue, clock);
    }

    private static Settler settler(
            DispatcherContext context, Admission admission, DeathReporter deaths, DeliveryQueue queue) {
        return new Settler(
                deaths.settling(queue),
                queue::settledBefore,
                context.options().claimReclaimAfter().toMillis(),
                admission.lanes().size(),
                admission.inFlight()::deliveries,
                context.observations());
    }

    private static ClaimRecoverer recoverer(DispatcherContext context, DueSignals signals) {
        return new ClaimRecoverer(context, signals.admission().nodes(), signals::scanAgain, System::nanoTime);
    }

    /** Creates the lease, whose threads also store what could not be stored before, and take over what dead nodes left. */
    private static DispatcherLease lease(
            DispatcherContext context, Admission admission, ClaimRecoverer recoverer, Settler settler) {
        return new DispatcherLease(
                context,
                admission.nodes(),
                () -> admission.inFlight().holdsClaims() || recoverer.isPending(),
                recoverer::scan,
                () -> {
                    settler.storeWaiting();
                    recoverer.free();
                });
    }

    /** Returns what makes the claims for new events. */
    public ClaimIssuer claims() {
        return claims;
    }

    /** Returns what attempts deliveries while a caller waits. */
    public AwaitedDeliveries awaited() {
        return awaited;
    }

    /** Returns what tells the loop of due deliveries. */
    public DueSignals signals() {
        return signals;
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
        runs.startAll(deliveries);
    }

    /** Makes the loops of all nodes look for due deliveries that they do not know about. */
    public void scanAgain() {
        signals.scanAgain();
    }

    /** Makes the loop look for due deliveries, as soon as the pause after the last scan is over. */
    public void poll() {
        if (started) {
            signals.poll();
        }
    }

    /** Returns the ids of endpoints for which no more deliveries can be taken at the moment. */
    public Set<String> fullEndpoints() {
        return admission.lanes().full();
    }

    /** Claims up to a batch of what is due, attempts it, and waits for the outcomes. Does nothing after {@link #stop}. */
    public RetryResult processRetries() {
        return stopped ? new RetryResult(0, 0, 0) : awaited.deliverDue();
    }

    /** Reads how many deliveries are not delivered. */
    public DispatcherBacklog backlog() {
        return backlog.read();
    }

    /** Returns how many deliveries to an endpoint are pending or in flight, up to the limit. */
    public int openOf(String endpointId, int most) {
        return backlog.openOf(endpointId, most);
    }

    /** Returns what this node does, without reading from the database. */
    public DispatcherActivity activity() {
        int running = admission.lanes().running();
        int waiting = admission.lanes().waiting();
        return new DispatcherActivity(
                started,
                loop.sinceLastSuccess(),
                running,
                waiting,
                // The three are not read at once.
                Math.max(0, admission.inFlight().deliveries() - running - waiting));
    }

    /** Returns whether due deliveries are attempted in the background. */
    public boolean isStarted() {
        return started;
    }

    /** Starts attempting due deliveries in the background. */
    public void start() {
        stopped = false;
        sender.open();
        admission.lanes().open();
        loop.start();
        started = true;
        signals.notifications().subscribe();
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
        signals.notifications().unsubscribe();
        loop.stop();
        admission.lanes().close();
        boolean finished = admission.inFlight().awaitIdle(grace);
        sender.endExchanges();
        if (!finished && !admission.inFlight().awaitIdle(LAST_OUTCOMES)) {
            LOG.warn("Webhook attempts are still in flight after the grace period; their outcomes may not be stored");
        }
        lease.release();
        if (wasStarted) {
            signals.notifications().publish(); // of the deliveries that this node has released
        }
        stopped = true;
    }

    /**
     * Stops permanently.
     *
     * @param grace how long to wait for running attempts; ignored after {@link #stop}, which has already waited
     */
    public void close(Duration grace) {
        claims.close();
        stop(stopped ? Duration.ZERO : grace);
        lease.close();
        threads.close();
        settler.close();
    }
}
