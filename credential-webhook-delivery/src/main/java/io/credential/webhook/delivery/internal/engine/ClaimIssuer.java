package io.credential.webhook.delivery.internal.engine;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;

import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.DispatcherLease;

/**
 * Makes the claims under which this node takes deliveries; each holds as long as the lease of this node. Its methods throw
 * {@link IllegalStateException} once the dispatcher is closed. Thread-safe.
 */
public final class ClaimIssuer {

    private final DispatcherLease lease;
    private final Admission admission;
    private final InstantSource clock;
    private final SecureRandom random;
    private volatile boolean closed;

    ClaimIssuer(DispatcherLease lease, Admission admission, InstantSource clock, SecureRandom random) {
        this.lease = lease;
        this.admission = admission;
        this.clock = clock;
        this.random = random;
    }

    /** Returns a new claim; acquires the lease if this node does not hold it. */
    Claim next() {
        requireOpen();
        return newClaim(lease.leaseId());
    }

    /** Returns a claim for an event that is about to be stored; empty if there is no capacity for its deliveries. */
    public Optional<Claim> reserve() {
        requireOpen();
        return admission.hasCapacity() ? Optional.of(newClaim(lease.leaseId())) : Optional.empty();
    }

    /**
     * Returns a claim for an event in a transaction of the caller, which must not wait for the lease; empty if there is no
     * capacity, or this node does not hold its lease. The lease is kept until {@link #endReservation}.
     */
    public Optional<Claim> reserveInTransaction() {
        requireOpen();
        Optional<Claim> claim = admission.hasCapacity() ? lease.heldLeaseId().map(this::newClaim) : Optional.empty();
        claim.ifPresent(made -> admission.inFlight().beginReservation());
        return claim;
    }

    /** Ends a reservation of {@link #reserveInTransaction} after its transaction. */
    public void endReservation() {
        admission.inFlight().endReservation();
    }

    boolean isClosed() {
        return closed;
    }

    void close() {
        closed = true;
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
