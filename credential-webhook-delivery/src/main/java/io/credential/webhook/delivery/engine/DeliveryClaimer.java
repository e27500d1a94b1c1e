package io.credential.webhook.delivery.engine;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.micrometer.observation.ObservationRegistry;

import io.credential.webhook.delivery.attempt.EndpointRates;
import io.credential.webhook.delivery.queue.Claim;
import io.credential.webhook.delivery.queue.ClaimRecoverer;
import io.credential.webhook.delivery.queue.ClaimedDelivery;
import io.credential.webhook.delivery.queue.DeliveryQueue;
import io.credential.webhook.delivery.queue.DeliveryQueue.Quota;
import io.credential.webhook.delivery.queue.DispatcherLease;
import io.credential.webhook.delivery.queue.OpenDeliveries;
import io.credential.webhook.delivery.queue.SeenDelivery;

/** Claims as many deliveries as there is capacity for; endpoints take quotas. Thread-safe. */
final class DeliveryClaimer {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryClaimer.class);

    private final DeliveryQueue queue;
    private final DueEndpoints dueEndpoints;
    private final DispatcherLease lease;
    private final ClaimRecoverer recoverer;
    private final DeliveryRunner runner;
    private final RetryRound backgroundRound;
    private final InstantSource clock;
    private final SecureRandom random;
    private final ScanPace pace = new ScanPace(System::nanoTime);
    private final AtomicInteger openReservations = new AtomicInteger();
    private volatile long lastClaimAt;
    private volatile boolean foundSuspect;
    private volatile boolean hasJustStarted;
    private volatile @Nullable RuntimeException failedScan;
    private volatile boolean reportedFailedScan;
    private volatile boolean closed;

    DeliveryClaimer(
            DeliveryQueue queue,
            DueEndpoints dueEndpoints,
            DispatcherLease lease,
            ClaimRecoverer recoverer,
            DeliveryRunner runner,
            ObservationRegistry observations,
            InstantSource clock,
            SecureRandom random) {
        this.queue = queue;
        this.dueEndpoints = dueEndpoints;
        this.lease = lease;
        this.recoverer = recoverer;
        this.runner = runner;
        this.backgroundRound = new RetryRound(observations, "background");
        this.clock = clock;
        this.random = random;
    }

    /** @param suggestsMore whether there may be more to claim at once */
    record Claimed(List<ClaimedDelivery> deliveries, boolean suggestsMore) {

        static final Claimed NOTHING = new Claimed(List.of(), false);

        int count() {
            return deliveries.size();
        }
    }

    void close() {
        closed = true;
    }

    @Nullable Claim reserve() {
        requireOpen();
        return runner.hasCapacity() ? next() : null;
    }

    @Nullable Claim reserveInTransaction() {
        requireOpen();
        String leaseId = runner.hasCapacity() ? lease.heldLeaseId() : null;
        if (leaseId == null) {
            return null;
        }
        Claim claim = newClaim(leaseId);
        openReservations.incrementAndGet();
        return claim;
    }

    void ended(@Nullable Claim claim) {
        if (claim != null) {
            openReservations.decrementAndGet();
        }
    }

    boolean hasOpenReservations() {
        return openReservations.get() > 0;
    }

    /** Requests the first scan after a start. */
    void start() {
        hasJustStarted = true;
        pace.poll();
    }

    /** Requests a scan of the table. */
    void poll() {
        pace.poll();
    }

    /**
     * Returns the longest time to wait before the next scan, in milliseconds. Without capacity, a scan would be of no use.
     */
    long millisToScan() {
        return closed || runner.capacity() == 0 ? ScanPace.LONGEST_PAUSE.toMillis() : pace.millisToScan();
    }

    /** Looks for everything that is due, and frees orphaned claims. */
    void findAll() {
        lease.noteWork(); // before the lease is acquired
        if (!closed && scan()) {
            recoverer.freeOrphaned();
        }
    }

    /** Claims due deliveries in the background, at most this many. */
    Claimed claimInBackground(int limit) {
        return claim(limit, backgroundRound);
    }

    /** Claims due deliveries, at most this many. */
    Claimed claim(int limit) {
        return claim(limit, RetryRound.UNOBSERVED);
    }

    /** @param round not observed if there is nothing to claim */
    private Claimed claim(int limit, RetryRound round) {
        lease.noteWork();
        int most = closed ? 0 : Math.min(limit, runner.capacity());
        lastClaimAt = clock.millis();
        if (most == 0) {
            return Claimed.NOTHING;
        }
        if (dueEndpoints.mustScan() || pace.isDue()) {
            tryScan(round);
        }
        Claimed known = claimKnown(most, round);
        RuntimeException failure = failedScan;
        if (failure != null && !reportedFailedScan) { // if the claim fails, the caller reports that instead
            reportedFailedScan = true;
            LOG.warn(
                    "Could not look for due webhook deliveries; only those known to this node are attempted: {}",
                    failure.toString());
        }
        return known;
    }

    /** A scan may read too much, but known deliveries can still be claimed. Without any, each claim fails until a scan succeeds. */
    private Claimed claimKnown(int most, RetryRound round) {
        if (foundSuspect && runner.takesSuspect()) {
            Claimed suspect = round.observe(() -> new Claimed(claimSuspect(), true), Claimed::count);
            if (!suspect.deliveries().isEmpty()) {
                return suspect; // alone: if a second claim failed, the suspect would not be attempted
            }
        }
        List<Quota> quotas = dueEndpoints.take(lastClaimAt, most, runner.capacitiesOfOneClaim());
        RuntimeException failure = failedScan;
        if (quotas.isEmpty() && failure != null) {
            throw failure;
        }
        return quotas.isEmpty() ? Claimed.NOTHING : round.observe(() -> claim(quotas), Claimed::count);
    }

    private void tryScan(RetryRound round) {
        try {
            var unused = scan();
        } catch (RuntimeException e) {
            round.failed(e);
        }
    }

    /**
     * If a rate limit holds due deliveries and this node has no share in the limits yet, waits for it. Returns whether the
     * node has got one.
     */
    boolean awaitShare() {
        EndpointRates rates = runner.rates();
        return !closed
                && dueEndpoints.isDue(clock.millis(), endpointId -> rates.capacity(endpointId) == 0)
                && rates.nodes().awaitShare();
    }

    /**
     * Returns when the next known delivery becomes due, or the rate limit of its endpoint admits it, in Unix milliseconds;
     * {@link Long#MAX_VALUE} if none does.
     */
    long nextClaimAt() {
        return Math.min(dueEndpoints.nextDueAt(lastClaimAt), runner.rates().nextCapacityAt());
    }

    /**
     * Returns whether anything is open. The lease is then kept, so that this node notices if nodes that work on it die. After a
     * start, it is acquired in any case: claims of a crashed node on deliveries of paused endpoints are not found open.
     */
    private boolean scan() {
        long begun = pace.begin();
        try {
            boolean holdsOpen = scan(begun);
            failedScan = null;
            reportedFailedScan = false;
            return holdsOpen;
        } catch (RuntimeException | Error e) {
            pace.failed(begun);
            failedScan = e instanceof RuntimeException failure ? failure : new IllegalStateException(e);
            throw e;
        }
    }

    private boolean scan(long begun) {
        long until = clock.millis() + ScanPace.LONGEST_PAUSE.toMillis();
        long number = dueEndpoints.beginScan();
        OpenDeliveries found = queue.scan(until);
        dueEndpoints.endScan(number, until, found.dueAts());
        runner.rates().learn(found.dueAts().keySet(), found.rateLimits());
        foundSuspect = found.holdsSuspects();
        pace.end(begun, found.holdsOpen());
        if (found.holdsOpen() || hasJustStarted) {
            lease.leaseId();
            hasJustStarted = false;
        }
        return found.holdsOpen();
    }

    private List<ClaimedDelivery> claimSuspect() {
        List<ClaimedDelivery> claimed = claimUnderNext(queue::claimSuspect);
        foundSuspect = !claimed.isEmpty();
        return claimed;
    }

    private Claimed claim(List<Quota> quotas) {
        List<ClaimedDelivery> claimed;
        try {
            claimed = claimUnderNext(claim -> queue.claim(quotas, claim));
        } catch (RuntimeException | Error e) {
            dueEndpoints.putBack(quotas);
            throw e;
        }
        for (Quota quota : quotas) {
            LongSummaryStatistics dueAts = claimed.stream()
                    .filter(delivery -> delivery.endpointId().equals(quota.endpointId()))
                    .mapToLong(ClaimedDelivery::dueAt)
                    .summaryStatistics();
            if (dueAts.getCount() == quota.limit()) {
                dueEndpoints.add(quota.endpointId(), dueAts.getMax());
            }
        }
        return new Claimed(claimed, dueEndpoints.isDue(clock.millis(), endpointId -> runner.capacity(endpointId) > 0));
    }

    List<ClaimedDelivery> claimOne(SeenDelivery seen) {
        return claimUnderNext(claim -> queue.claimOne(seen, claim));
    }

    private List<ClaimedDelivery> claimUnderNext(Function<Claim, List<ClaimedDelivery>> statement) {
        Claim claim = next();
        try {
            return statement.apply(claim);
        } catch (RuntimeException | Error e) {
            recoverer.lost(claim);
            throw e;
        }
    }

    private Claim next() {
        requireOpen();
        return newClaim(lease.leaseId());
    }

    private Claim newClaim(String leaseId) {
        return new Claim(random.nextLong(), leaseId, clock.millis(), System.nanoTime());
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("The webhook dispatcher is closed");
        }
    }
}
