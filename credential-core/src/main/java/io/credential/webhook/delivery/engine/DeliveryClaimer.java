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
import io.credential.webhook.delivery.queue.DeliveryQueue.Turn;
import io.credential.webhook.delivery.queue.DispatcherLease;
import io.credential.webhook.delivery.queue.OpenDeliveries;
import io.credential.webhook.delivery.queue.SeenDelivery;

/** Claims as many deliveries as there is room for; endpoints take turns. Thread-safe. */
final class DeliveryClaimer {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryClaimer.class);

    private final DeliveryQueue queue;
    private final Agenda agenda;
    private final DispatcherLease lease;
    private final ClaimRecoverer recoverer;
    private final DeliveryRunner runner;
    private final RetryRound backgroundRound;
    private final InstantSource clock;
    private final SecureRandom random;
    private final LookPace pace = new LookPace(System::nanoTime);
    private final AtomicInteger openReservations = new AtomicInteger();
    private volatile long lastClaimAt;
    private volatile boolean foundSuspect;
    private volatile boolean hasJustStarted;
    private volatile @Nullable RuntimeException failedLook;
    private volatile boolean reportedFailedLook;
    private volatile boolean closed;

    DeliveryClaimer(
            DeliveryQueue queue,
            Agenda agenda,
            DispatcherLease lease,
            ClaimRecoverer recoverer,
            DeliveryRunner runner,
            ObservationRegistry observations,
            InstantSource clock,
            SecureRandom random) {
        this.queue = queue;
        this.agenda = agenda;
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
        return runner.hasRoom() ? next() : null;
    }

    @Nullable Claim reserveInTransaction() {
        requireOpen();
        String incarnation = runner.hasRoom() ? lease.heldIncarnation() : null;
        if (incarnation == null) {
            return null;
        }
        Claim claim = newClaim(incarnation);
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

    /** Requests the first look after a start. */
    void start() {
        hasJustStarted = true;
        pace.poll();
    }

    /** Requests a look at the table. */
    void poll() {
        pace.poll();
    }

    /**
     * Returns the longest time to wait before the next look, in milliseconds. Without room, a look would be of no use.
     */
    long millisToLook() {
        return closed || runner.room() == 0 ? LookPace.LONGEST_PAUSE.toMillis() : pace.millisToLook();
    }

    /** Looks for everything that is due, and frees orphaned claims. */
    void findAll() {
        lease.noteWork(); // before the lease is acquired
        if (!closed && look()) {
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
        int most = closed ? 0 : Math.min(limit, runner.room());
        lastClaimAt = clock.millis();
        if (most == 0) {
            return Claimed.NOTHING;
        }
        if (agenda.mustLook() || pace.isDue()) {
            tryLook(round);
        }
        Claimed known = claimKnown(most, round);
        RuntimeException failure = failedLook;
        if (failure != null && !reportedFailedLook) { // if the claim fails, the caller reports that instead
            reportedFailedLook = true;
            LOG.warn(
                    "Could not look for due webhook deliveries; only those known to this node are attempted: {}",
                    failure.toString());
        }
        return known;
    }

    /** A look may read too much, but known deliveries can still be claimed. Without any, each claim fails until a look succeeds. */
    private Claimed claimKnown(int most, RetryRound round) {
        if (foundSuspect && runner.takesSuspect()) {
            Claimed suspect = round.observe(() -> new Claimed(claimSuspect(), true), Claimed::count);
            if (!suspect.deliveries().isEmpty()) {
                return suspect; // alone: if a second claim failed, the suspect would not be attempted
            }
        }
        List<Turn> turns = agenda.take(lastClaimAt, most, runner.roomsOfOneClaim());
        RuntimeException failure = failedLook;
        if (turns.isEmpty() && failure != null) {
            throw failure;
        }
        return turns.isEmpty() ? Claimed.NOTHING : round.observe(() -> claim(turns), Claimed::count);
    }

    private void tryLook(RetryRound round) {
        try {
            var unused = look();
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
                && agenda.isDue(clock.millis(), endpointId -> rates.room(endpointId) == 0)
                && rates.nodes().awaitShare();
    }

    /**
     * Returns when the next known delivery becomes due, or the rate limit of its endpoint admits it, in Unix milliseconds;
     * {@link Long#MAX_VALUE} if none does.
     */
    long nextClaimAt() {
        return Math.min(agenda.nextDueAt(lastClaimAt), runner.rates().nextRoomAt());
    }

    /**
     * Returns whether anything is open. The lease is then kept, so that this node notices if nodes that work on it die. After a
     * start, it is acquired in any case: claims of a crashed node on deliveries of paused endpoints are not found open.
     */
    private boolean look() {
        long begun = pace.begin();
        try {
            boolean holdsOpen = look(begun);
            failedLook = null;
            reportedFailedLook = false;
            return holdsOpen;
        } catch (RuntimeException | Error e) {
            pace.failed(begun);
            failedLook = e instanceof RuntimeException failure ? failure : new IllegalStateException(e);
            throw e;
        }
    }

    private boolean look(long begun) {
        long until = clock.millis() + LookPace.LONGEST_PAUSE.toMillis();
        long number = agenda.beginLook();
        OpenDeliveries found = queue.look(until);
        agenda.endLook(number, until, found.dueAts());
        runner.rates().learn(found.dueAts().keySet(), found.rateLimits());
        foundSuspect = found.holdsSuspects();
        pace.end(begun, found.holdsOpen());
        if (found.holdsOpen() || hasJustStarted) {
            lease.incarnation();
            hasJustStarted = false;
        }
        return found.holdsOpen();
    }

    private List<ClaimedDelivery> claimSuspect() {
        List<ClaimedDelivery> claimed = claimUnderNext(queue::claimSuspect);
        foundSuspect = !claimed.isEmpty();
        return claimed;
    }

    private Claimed claim(List<Turn> turns) {
        List<ClaimedDelivery> claimed;
        try {
            claimed = claimUnderNext(claim -> queue.claim(turns, claim));
        } catch (RuntimeException | Error e) {
            agenda.putBack(turns);
            throw e;
        }
        for (Turn turn : turns) {
            LongSummaryStatistics dueAts = claimed.stream()
                    .filter(delivery -> delivery.endpointId().equals(turn.endpointId()))
                    .mapToLong(ClaimedDelivery::dueAt)
                    .summaryStatistics();
            if (dueAts.getCount() == turn.limit()) {
                agenda.add(turn.endpointId(), dueAts.getMax());
            }
        }
        return new Claimed(claimed, agenda.isDue(clock.millis(), endpointId -> runner.room(endpointId) > 0));
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
        return newClaim(lease.incarnation());
    }

    private Claim newClaim(String incarnation) {
        return new Claim(random.nextLong(), incarnation, clock.millis(), System.nanoTime());
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("The webhook dispatcher is closed");
        }
    }
}
