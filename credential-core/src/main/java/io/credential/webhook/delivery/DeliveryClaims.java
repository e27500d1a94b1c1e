package io.credential.webhook.delivery;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/** Claims as much as there is room for, one endpoint after the other. Thread-safe. */
final class DeliveryClaims {

    private final DispatcherOptions options;
    private final DeliveryQueue queue;
    private final DispatcherLease lease;
    private final ClaimRecovery recovery;
    private final DeliveryEngine engine;
    private final InstantSource clock;
    private final SecureRandom random;
    private volatile String afterEndpoint = "";
    private volatile boolean closed;

    DeliveryClaims(
            DispatcherOptions options,
            DeliveryQueue queue,
            DispatcherLease lease,
            ClaimRecovery recovery,
            DeliveryEngine engine,
            InstantSource clock,
            SecureRandom random) {
        this.options = options;
        this.queue = queue;
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

    /** Frees what nobody can still be at work on; an idle dispatcher asks no more than whether there is anything. */
    void freeLeftBehind() {
        if (!closed && (lease.isHeld() || queue.holdsOpen())) {
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

    /** Claims what is due, of this many at most; an idle dispatcher asks no more than whether there is anything. */
    Claimed claim(int limit) {
        if (closed || (!lease.isHeld() && !queue.holdsOpen())) {
            return Claimed.NOTHING;
        }
        Lanes.Room room = engine.room();
        int most = Math.min(limit, room.total());
        if (most == 0) {
            return Claimed.NOTHING;
        }
        Claim claim = next();
        ClaimRequest request = new ClaimRequest(claim, most, room.perEndpoint(), room.free(), afterEndpoint);
        ClaimBatch batch = orLost(claim, () -> queue.claim(request));
        String last = batch.lastEndpoint();
        if (last != null) {
            afterEndpoint = last;
        }
        return new Claimed(batch.claimed(), batch.suggestsMore(request));
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
