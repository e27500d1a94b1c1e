package io.credential.webhook.delivery;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.Agenda.Turn;

/** Claims as much as there is room for, one endpoint after the other. Thread-safe. */
final class DeliveryClaims {

    /** How many times as long as a look at the table takes the pause after it lasts at least. */
    private static final int PAUSE_PER_LOOK = 50;

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);

    private final DispatcherOptions options;
    private final DeliveryQueue queue;
    private final Agenda agenda;
    private final DispatcherLease lease;
    private final ClaimRecovery recovery;
    private final DeliveryEngine engine;
    private final InstantSource clock;
    private final SecureRandom random;
    private volatile long nextLook = System.nanoTime();
    private volatile boolean closed;

    DeliveryClaims(
            DispatcherOptions options,
            DeliveryQueue queue,
            Agenda agenda,
            DispatcherLease lease,
            ClaimRecovery recovery,
            DeliveryEngine engine,
            InstantSource clock,
            SecureRandom random) {
        this.options = options;
        this.queue = queue;
        this.agenda = agenda;
        this.lease = lease;
        this.recovery = recovery;
        this.engine = engine;
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
        return engine.hasRoom() ? next() : null;
    }

    /** The same for a transaction of the caller, which must not wait for the node's lease: null without one as well. */
    @Nullable Claim reserveInTransaction() {
        requireOpen();
        return engine.hasRoom() && lease.isHeld() ? next() : null;
    }

    /** Says that deliveries may be stored under a claim that this node will not attempt. */
    void lost(Claim claim) {
        recovery.lost(claim);
    }

    /** Finds all that is due, also what nobody can still be at work on. */
    void findAll() {
        if (!closed && look()) {
            recovery.freeLeftBehind();
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
        int most = closed ? 0 : Math.min(limit, engine.room());
        if (most == 0) {
            return Claimed.NOTHING;
        }
        if (agenda.mustLook() || System.nanoTime() - nextLook >= 0) {
            var unused = look();
        }
        List<Turn> turns = agenda.take(clock.millis(), most, engine.lanes()::room);
        return turns.isEmpty() ? Claimed.NOTHING : claim(turns);
    }

    /** When the next delivery becomes due that this node knows of, in unix milliseconds; {@link Long#MAX_VALUE} for never. */
    long nextDueAt() {
        return agenda.nextDueAt(clock.millis());
    }

    /** Whether anything is open: the lease is then kept, so that this node sees others die that are at work on it. */
    private boolean look() {
        long asked = System.nanoTime();
        long number = agenda.beginLook();
        DeliveryQueue.Look found;
        try {
            found = queue.look(clock.millis() + longestPause().toMillis());
        } catch (RuntimeException | Error e) {
            agenda.isIncomplete();
            throw e;
        }
        agenda.endLook(number, found.dueAts());
        long pause = Math.min(PAUSE_PER_LOOK * (System.nanoTime() - asked), LONGEST_PAUSE.toNanos());
        nextLook = asked + Math.max(pause, options.pollInterval().toNanos());
        if (found.holdsOpen()) {
            lease.incarnation();
        }
        return found.holdsOpen();
    }

    private Duration longestPause() {
        return options.pollInterval().compareTo(LONGEST_PAUSE) < 0 ? LONGEST_PAUSE : options.pollInterval();
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
        return new Claimed(claimed, agenda.hasTurn(clock.millis(), engine.lanes()::room));
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
            recovery.lost(claim);
            throw e;
        }
    }
}
