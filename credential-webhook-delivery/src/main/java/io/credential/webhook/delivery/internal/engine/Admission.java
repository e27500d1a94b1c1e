package io.credential.webhook.delivery.internal.engine;

import java.util.Collection;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.internal.DispatcherOptions;
import io.credential.webhook.delivery.internal.attempt.EndpointRates;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.LiveNodes;

/**
 * Decides how many deliveries this node takes, and when each may be attempted: within the rate limit of its endpoint, with a
 * place in its lane, and one suspect at a time. Takes none while attempts end faster than their outcomes are stored.
 * Thread-safe.
 */
public final class Admission {

    private final Lanes lanes;
    private final EndpointRates rates;
    private final LiveNodes nodes;
    private final Wakeup wakeup;
    private final InFlight inFlight;

    /** The suspect that this node attempts. */
    private final AtomicReference<@Nullable ClaimedDelivery> suspect = new AtomicReference<>();

    /**
     * @param nodes share the rate limits
     * @param threads start attempts
     */
    public Admission(DispatcherOptions options, EndpointRates rates, LiveNodes nodes, Executor threads, Wakeup wakeup) {
        this.lanes = new Lanes(options, threads, wakeup::now);
        this.rates = rates;
        this.nodes = nodes;
        this.wakeup = wakeup;
        this.inFlight = new InFlight(2 * lanes.size());
    }

    Lanes lanes() {
        return lanes;
    }

    InFlight inFlight() {
        return inFlight;
    }

    EndpointRates rates() {
        return rates;
    }

    /**
     * Counts a delivery that this node has taken, and begins its attempt as soon as there is a place for it. One that the rate
     * limit of its endpoint does not admit takes no place. Suspects run one at a time, so that only the cause of crashes reaches
     * its last attempt. Call {@link #leave} when the outcome is stored, also if this returned false.
     *
     * @return false if it cannot wait for a place; the attempt is then never begun
     */
    boolean admit(ClaimedDelivery delivery, Lanes.Task attempt) {
        inFlight.begin();
        return (!delivery.isSuspect() || suspect.compareAndSet(null, delivery))
                && rates.book(delivery)
                && lanes.begin(delivery.endpointId(), attempt);
    }

    /** Ends what {@link #admit} began. */
    void leave(ClaimedDelivery delivery) {
        boolean mayClaim = inFlight.end();
        // Not before the outcome is stored: the next suspect may crash this process.
        boolean mayClaimSuspect = suspect.compareAndSet(delivery, null);
        if (mayClaim || mayClaimSuspect) {
            wakeup.now();
        }
    }

    /** Returns how many deliveries can be claimed; 0 while attempts end faster than their outcomes are stored. */
    int capacity() {
        return inFlight.isFull() ? 0 : lanes.capacity();
    }

    /** Returns whether there is capacity for a delivery. */
    boolean hasCapacity() {
        return !inFlight.isFull() && lanes.hasCapacity();
    }

    /** Returns how many deliveries of an endpoint can be claimed. */
    int capacity(String endpointId) {
        return capacity(endpointId, lanes::capacity);
    }

    /** Returns the same for the endpoints of one claim. */
    ToIntFunction<String> capacitiesOfOneClaim() {
        ToIntFunction<String> inLanes = lanes.capacitiesOfOneClaim();
        return endpointId -> capacity(endpointId, inLanes);
    }

    private int capacity(String endpointId, ToIntFunction<String> inLanes) {
        int admitted = rates.capacity(endpointId);
        return admitted == 0 ? 0 : Math.min(admitted, inLanes.applyAsInt(endpointId));
    }

    /** Returns whether this node cannot attempt deliveries to all of these endpoints at once, but another one might. */
    boolean isAnyFull(Collection<String> endpointIds) {
        return !hasCapacity() || lanes.isAnyFull(endpointIds) || rates.isAnyHeld(endpointIds);
    }

    LiveNodes nodes() {
        return nodes;
    }

    /** Returns whether a suspect may be claimed. */
    boolean takesSuspect() {
        return suspect.get() == null;
    }
}
