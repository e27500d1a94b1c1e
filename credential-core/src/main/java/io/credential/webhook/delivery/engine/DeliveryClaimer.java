package io.credential.webhook.delivery.engine;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.queue.Claim;
import io.credential.webhook.delivery.queue.ClaimRecoverer;
import io.credential.webhook.delivery.queue.ClaimRequest;
import io.credential.webhook.delivery.queue.ClaimRequest.Turn;
import io.credential.webhook.delivery.queue.ClaimedDelivery;
import io.credential.webhook.delivery.queue.DeliveryQueue;
import io.credential.webhook.delivery.queue.DispatcherLease;
import io.credential.webhook.delivery.queue.OpenDeliveries;
import io.credential.webhook.delivery.queue.SeenDelivery;

/** Claims as much as there is room for, one endpoint after the other. Thread-safe. */
final class DeliveryClaimer {

    private final DeliveryQueue queue;
    private final Agenda agenda;
    private final DispatcherLease lease;
    private final ClaimRecoverer recoverer;
    private final DeliveryRunner runner;
    private final InstantSource clock;
    private final SecureRandom random;
    private final LookPace pace = new LookPace(System::nanoTime);
    private final AtomicInteger openReservations = new AtomicInteger();
    private volatile long lastClaimAt;
    private volatile boolean foundSuspect;
    private volatile boolean closed;

    DeliveryClaimer(
            DeliveryQueue queue,
            Agenda agenda,
            DispatcherLease lease,
            ClaimRecoverer recoverer,
            DeliveryRunner runner,
            InstantSource clock,
            SecureRandom random) {
        this.queue = queue;
        this.agenda = agenda;
        this.lease = lease;
        this.recoverer = recoverer;
        this.runner = runner;
        this.clock = clock;
        this.random = random;
    }

    /**
     * What was claimed.
     *
     * @param suggestsMore whether it is worth asking again at once
     */
    record Claimed(List<ClaimedDelivery> deliveries, boolean suggestsMore) {

        static final Claimed NOTHING = new Claimed(List.of(), false);
    }

    /** Nothing is claimed any more. */
    void close() {
        closed = true;
    }

    /**
     * A fresh claim for an event that is about to be stored; null while there is no room for its deliveries.
     *
     * @throws IllegalStateException when it is closed
     */
    @Nullable Claim reserve() {
        requireOpen();
        return runner.hasRoom() ? next() : null;
    }

    /**
     * The same for a transaction of the caller, which must not wait for the node's lease: null without one as well. When the
     * transaction has ended, {@link #ended} must follow; until then the lease is kept.
     */
    @Nullable Claim reserveInTransaction() {
        requireOpen();
        if (!runner.hasRoom() || !lease.isHeld()) {
            return null;
        }
        Claim claim = next();
        openReservations.incrementAndGet();
        return claim;
    }

    /** Says that the transaction of a reservation has ended. */
    void ended(@Nullable Claim claim) {
        if (claim != null) {
            openReservations.decrementAndGet();
        }
    }

    boolean hasOpenReservations() {
        return openReservations.get() > 0;
    }

    /** Says that deliveries may be stored under a claim that this node will not attempt. */
    void lost(Claim claim) {
        recoverer.lost(claim);
    }

    /** Asks for a look at the table; whether it is due. */
    boolean poll() {
        return pace.poll();
    }

    /** Finds all that is due, and frees orphaned claims. */
    void findAll() {
        if (!closed && look()) {
            recoverer.freeOrphaned();
        }
    }

    private Claim next() {
        requireOpen();
        return new Claim(random.nextLong(), lease.incarnation(), clock.millis(), System.nanoTime());
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("The webhook dispatcher is closed");
        }
    }

    /** Claims what is due, of this many at most. */
    Claimed claim(int limit) {
        int most = closed ? 0 : Math.min(limit, runner.room());
        lastClaimAt = clock.millis();
        if (most == 0) {
            return Claimed.NOTHING;
        }
        if (agenda.mustLook() || pace.isDue()) {
            var unused = look();
        }
        List<ClaimedDelivery> suspect = claimSuspect();
        if (!suspect.isEmpty()) {
            return new Claimed(suspect, true); // alone: if a second claim failed, nobody would attempt it
        }
        List<Turn> turns = agenda.take(lastClaimAt, most, runner.lanes()::room);
        return turns.isEmpty() ? Claimed.NOTHING : claim(turns);
    }

    /** When something becomes due that this node knows of, in unix milliseconds; {@link Long#MAX_VALUE} for never. */
    long nextClaimAt() {
        return agenda.nextDueAt(lastClaimAt);
    }

    /** Whether anything is open: the lease is then kept, so that this node sees others die that are at work on it. */
    private boolean look() {
        long begun = pace.begin();
        long until = clock.millis() + LookPace.LONGEST_PAUSE.toMillis();
        long number = agenda.beginLook();
        OpenDeliveries found;
        try {
            found = queue.look(until);
        } catch (RuntimeException | Error e) {
            agenda.markIncomplete();
            throw e;
        }
        agenda.endLook(number, until, found.dueAts());
        foundSuspect = found.holdsSuspects();
        pace.end(begun, found.holdsOpen());
        if (found.holdsOpen()) {
            lease.incarnation();
        }
        return found.holdsOpen();
    }

    /** Those that were in flight when two nodes in a row died run one at a time; see {@link DeliveryRunner#deliver}. */
    private List<ClaimedDelivery> claimSuspect() {
        if (!foundSuspect || !runner.takesSuspect()) {
            return List.of();
        }
        Claim claim = next();
        List<ClaimedDelivery> claimed = orLost(claim, () -> queue.claimSuspect(claim));
        foundSuspect = !claimed.isEmpty();
        return claimed;
    }

    private Claimed claim(List<Turn> turns) {
        List<ClaimedDelivery> claimed;
        try {
            Claim claim = next();
            claimed = orLost(claim, () -> queue.claim(new ClaimRequest(claim, turns)));
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
        return new Claimed(claimed, agenda.hasTurn(clock.millis(), runner.lanes()::room));
    }

    /** Claims one delivery if it is still as it was seen; empty when it is not. */
    List<ClaimedDelivery> claimOne(SeenDelivery seen) {
        Claim claim = next();
        return orLost(claim, () -> queue.claimOne(seen, claim));
    }

    private <T> T orLost(Claim claim, Supplier<T> statement) {
        try {
            return statement.get();
        } catch (RuntimeException | Error e) {
            recoverer.lost(claim);
            throw e;
        }
    }
}
