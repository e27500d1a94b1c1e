package io.credential.webhook.delivery.internal.engine;

import java.time.InstantSource;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.function.Function;

import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.ClaimRecoverer;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.DeliveryQueue;
import io.credential.webhook.delivery.internal.queue.DeliveryQueue.Quota;
import io.credential.webhook.delivery.internal.queue.DispatcherLease;
import io.credential.webhook.delivery.internal.queue.SeenDelivery;

/** Claims as many deliveries as there is capacity for; endpoints take turns. Thread-safe. */
final class DeliveryClaimer {

    private final DeliveryQueue queue;
    private final DueSignals signals;
    private final Admission admission;
    private final TableScanner scanner;
    private final ClaimIssuer claims;
    private final DispatcherLease lease;
    private final ClaimRecoverer recoverer;
    private final InstantSource clock;
    private volatile long lastClaimAt;

    DeliveryClaimer(
            DeliveryQueue queue,
            DueSignals signals,
            TableScanner scanner,
            ClaimIssuer claims,
            DispatcherLease lease,
            ClaimRecoverer recoverer,
            InstantSource clock) {
        this.queue = queue;
        this.signals = signals;
        this.admission = signals.admission();
        this.scanner = scanner;
        this.claims = claims;
        this.lease = lease;
        this.recoverer = recoverer;
        this.clock = clock;
    }

    /** @param suggestsMore whether there may be more to claim at once */
    record Claimed(List<ClaimedDelivery> deliveries, boolean suggestsMore) {

        static final Claimed NOTHING = new Claimed(List.of(), false);

        int count() {
            return deliveries.size();
        }
    }

    /** Requests the first scan after a start. */
    void start() {
        scanner.start();
    }

    /** Returns the longest time to wait before the next scan, in milliseconds. Without capacity, a scan would be of no use. */
    long millisToScan() {
        return claims.isClosed() || admission.capacity() == 0
                ? ScanPace.LONGEST_PAUSE.toMillis()
                : signals.pace().millisToScan();
    }

    /** Looks for everything that is due, and frees orphaned claims. */
    void findAll() {
        lease.noteWork(); // before the lease is acquired
        if (!claims.isClosed() && scanner.scan()) {
            recoverer.freeOrphaned();
        }
    }

    /**
     * Claims due deliveries, at most this many.
     *
     * @param round not observed if there is nothing to claim
     */
    Claimed claimDue(int limit, RetryRound round) {
        lease.noteWork();
        int most = claims.isClosed() ? 0 : Math.min(limit, admission.capacity());
        lastClaimAt = clock.millis();
        if (most == 0) {
            return Claimed.NOTHING;
        }
        scanner.scanIfDue(round);
        Claimed known = claimKnown(most, round);
        scanner.reportFailure(); // if the claim fails, the caller reports that instead
        return known;
    }

    /** A scan may read too much, but known deliveries can still be claimed. Without any, each claim fails until one succeeds. */
    private Claimed claimKnown(int most, RetryRound round) {
        if (scanner.foundSuspect() && admission.takesSuspect()) {
            Claimed suspect = round.observe(this::claimSuspect, Claimed::count);
            if (!suspect.deliveries().isEmpty()) {
                return suspect; // alone: if a second claim failed, the suspect would not be attempted
            }
        }
        List<Quota> quotas = signals.dueEndpoints().take(lastClaimAt, most, admission.capacitiesOfOneClaim());
        RuntimeException failedScan = scanner.failure();
        if (quotas.isEmpty() && failedScan != null) {
            throw failedScan;
        }
        return quotas.isEmpty() ? Claimed.NOTHING : round.observe(() -> claimQuotas(quotas), Claimed::count);
    }

    private Claimed claimSuspect() {
        List<ClaimedDelivery> claimed = underNextClaim(queue::claimSuspect);
        scanner.noteSuspect(!claimed.isEmpty());
        return new Claimed(claimed, true);
    }

    private Claimed claimQuotas(List<Quota> quotas) {
        List<ClaimedDelivery> claimed;
        try {
            claimed = underNextClaim(claim -> queue.claim(quotas, claim));
        } catch (RuntimeException | Error e) {
            signals.dueEndpoints().putBack(quotas);
            throw e;
        }
        for (Quota quota : quotas) {
            LongSummaryStatistics dueAts = claimed.stream()
                    .filter(delivery -> delivery.endpointId().equals(quota.endpointId()))
                    .mapToLong(ClaimedDelivery::dueAt)
                    .summaryStatistics();
            if (dueAts.getCount() == quota.limit()) {
                signals.dueEndpoints().add(quota.endpointId(), dueAts.getMax());
            }
        }
        boolean suggestsMore =
                signals.dueEndpoints().isDue(clock.millis(), endpointId -> admission.capacity(endpointId) > 0);
        return new Claimed(claimed, suggestsMore);
    }

    /** Claims one delivery if it has not changed since it was read; otherwise returns an empty list. */
    List<ClaimedDelivery> claimOne(SeenDelivery seen) {
        return underNextClaim(claim -> queue.claimOne(seen, claim));
    }

    private List<ClaimedDelivery> underNextClaim(Function<Claim, List<ClaimedDelivery>> statement) {
        Claim claim = claims.next();
        try {
            return statement.apply(claim);
        } catch (RuntimeException | Error e) {
            recoverer.lost(claim);
            throw e;
        }
    }

    /**
     * If a rate limit holds due deliveries and this node has no share in the limits yet, waits for it. Returns whether the
     * node has got one.
     */
    boolean awaitShare() {
        return !claims.isClosed()
                && signals.dueEndpoints()
                        .isDue(clock.millis(), endpointId -> admission.rates().capacity(endpointId) == 0)
                && admission.nodes().awaitShare();
    }

    /**
     * Returns when the next known delivery becomes due, or the rate limit of its endpoint admits it, in Unix milliseconds;
     * {@link Long#MAX_VALUE} if none does.
     */
    long nextClaimAt() {
        return Math.min(
                signals.dueEndpoints().nextDueAt(lastClaimAt), admission.rates().nextCapacityAt());
    }
}
