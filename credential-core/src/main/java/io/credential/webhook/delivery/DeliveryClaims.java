package io.credential.webhook.delivery;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;

/** Claims as much as there is room for, one endpoint after the other. Thread-safe. */
final class DeliveryClaims {

    private final DispatcherOptions options;
    private final DeliveryQueue queue;
    private final DispatcherLease lease;
    private final DeliveryEngine engine;
    private final InstantSource clock;
    private final SecureRandom random;
    private volatile String afterEndpoint = "";
    private volatile boolean closed;

    DeliveryClaims(
            DispatcherOptions options,
            DeliveryQueue queue,
            DispatcherLease lease,
            DeliveryEngine engine,
            InstantSource clock,
            SecureRandom random) {
        this.options = options;
        this.queue = queue;
        this.lease = lease;
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
     * A fresh claim, for deliveries that are stored as claimed.
     *
     * @throws IllegalStateException when it is closed
     */
    Claim next() {
        if (closed) {
            throw new IllegalStateException("The webhook dispatcher is closed");
        }
        return new Claim(random.nextLong(), lease.incarnation(), clock.millis(), System.nanoTime());
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
        ClaimRequest request = new ClaimRequest(
                claim,
                most,
                room.perEndpoint(),
                room.free(),
                afterEndpoint,
                claim.claimedAt() - options.claimReclaimAfter().toMillis(),
                lease.alive());
        ClaimBatch batch = queue.claim(request);
        String last = batch.lastEndpoint();
        if (last != null) {
            afterEndpoint = last;
        }
        return new Claimed(batch.claimed(), batch.suggestsMore(request));
    }

    /** Claims one delivery if it is still as it was seen; empty when it is not. */
    List<ClaimedDelivery> claimOne(SeenDelivery seen) {
        return queue.claimOne(seen, next());
    }
}
