package io.credential.webhook.delivery.internal.attempt;

import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.credential.ratelimit.RateLimit;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.LiveNodes;
import io.credential.webhook.delivery.internal.queue.Subscriber;

/**
 * Holds requests to their endpoint's rate limit: within any window, whenever it begins, this node begins no more requests
 * than its share of the limit. A delivery books its request when this node takes it, so that no more are claimed than
 * can be sent. Times are in Unix milliseconds.
 *
 * <p>Counts in memory, for at most 100,000 endpoints; of more, those that were used least recently start again.
 * Endpoints without a limit have no entry. Thread-safe.
 */
public final class EndpointRates {

    private static final int MAX_ENDPOINTS = 100_000;

    private final LiveNodes nodes;
    private final InstantSource clock;
    private final Runnable onFreedCapacity;
    private final Map<String, Rate> rates = new Rates();
    /** Endpoints that a claim has passed over, with the time when they have capacity again, if that is known. */
    private final Map<String, Long> held = new HashMap<>();

    /**
     * @param nodes share the limits
     * @param onFreedCapacity called when an endpoint may have capacity again, at a time that {@link #nextCapacityAt} did not tell
     */
    public EndpointRates(LiveNodes nodes, InstantSource clock, Runnable onFreedCapacity) {
        this.nodes = nodes;
        this.clock = clock;
        this.onFreedCapacity = onFreedCapacity;
    }

    /** Notes the current limits of endpoints; those that are not in the map have none. */
    public void learn(Collection<String> endpointIds, Map<String, RateLimit> limits) {
        boolean changed = false;
        synchronized (this) {
            for (String endpointId : endpointIds) {
                Rate known = rates.get(endpointId);
                RateLimit limit = limits.get(endpointId);
                if (held.containsKey(endpointId) && (known == null || !Objects.equals(known.limit, limit))) {
                    changed = true;
                }
                var unused = learn(endpointId, limit);
            }
        }
        wake(changed);
    }

    /** Notes that the limit of an endpoint may have changed. It is read again before the next request. */
    public void changed(String endpointId) {
        boolean wasHeld;
        synchronized (this) {
            Rate known = rates.get(endpointId);
            if (known != null) {
                known.limit = null;
            }
            wasHeld = held.remove(endpointId) != null;
        }
        wake(wasHeld);
    }

    /**
     * Books the request of a delivery that this node has claimed. Call {@link #giveBack} when the delivery is settled. The limit
     * of the claim counts only if none is known: it may have changed since.
     *
     * @return false if the limit does not admit it now
     */
    public synchronized boolean book(ClaimedDelivery delivery) {
        Subscriber subscriber = delivery.subscriber();
        RateLimit claimed = subscriber == null ? null : subscriber.rateLimit();
        Rate rate = rates.get(delivery.endpointId());
        if (claimed != null && (rate == null || rate.limit == null)) {
            rate = learn(delivery.endpointId(), claimed);
        }
        return rate == null || (rate.capacity() > 0 && rate.booked.add(delivery.deliveryId()));
    }

    /**
     * Counts a request that begins now.
     *
     * @param subscriber the current endpoint
     * @return false if the limit, which may have changed since the delivery was claimed, does not admit it now
     */
    public boolean use(ClaimedDelivery delivery, Subscriber subscriber) {
        boolean admitted;
        boolean isAwaited;
        synchronized (this) {
            Rate rate = learn(delivery.endpointId(), subscriber.rateLimit());
            if (rate == null) {
                return true;
            }
            rate.booked.remove(delivery.deliveryId());
            admitted = rate.capacity() > 0;
            if (admitted) {
                rate.recent.add(clock.millis(), rate.windowMillis());
            }
            isAwaited = isAwaited(delivery.endpointId());
        }
        wake(isAwaited);
        return admitted;
    }

    /** Gives the request of a delivery back if it was booked, but not used. */
    public void giveBack(ClaimedDelivery delivery) {
        boolean isAwaited;
        synchronized (this) {
            Rate rate = rates.get(delivery.endpointId());
            isAwaited = rate != null && rate.booked.remove(delivery.deliveryId()) && held.containsKey(rate.endpointId);
        }
        wake(isAwaited);
    }

    /**
     * Returns how many more deliveries of an endpoint can be taken now. If none can, {@link #nextCapacityAt} takes the endpoint
     * into account.
     */
    public synchronized int capacity(String endpointId) {
        Rate rate = rates.get(endpointId);
        int capacity = rate == null ? Integer.MAX_VALUE : rate.capacity();
        if (capacity == 0) {
            held.put(endpointId, rate == null ? Long.MAX_VALUE : rate.capacityAt());
        }
        return capacity;
    }

    /** Returns whether one of these endpoints has no capacity. */
    public synchronized boolean isAnyHeld(Collection<String> endpointIds) {
        return endpointIds.stream().map(rates::get).anyMatch(rate -> rate != null && rate.capacity() == 0);
    }

    /** Returns when an endpoint has capacity again; {@link Long#MAX_VALUE} if that depends on something else than time. */
    public synchronized long capacityAt(String endpointId) {
        Rate rate = rates.get(endpointId);
        return rate == null ? Long.MIN_VALUE : rate.capacityAt();
    }

    /**
     * Returns when one of the endpoints that were found without capacity has capacity again; {@link Long#MAX_VALUE} if there are none.
     * Each endpoint is reported once after it has capacity.
     */
    public synchronized long nextCapacityAt() {
        long now = clock.millis();
        long next = Long.MAX_VALUE;
        for (Map.Entry<String, Long> entry : held.entrySet()) {
            Rate rate = rates.get(entry.getKey());
            entry.setValue(rate == null ? Long.MIN_VALUE : rate.capacityAt());
            next = Math.min(next, entry.getValue());
        }
        held.values().removeIf(capacityAt -> capacityAt <= now);
        return next;
    }

    private @Nullable Rate learn(String endpointId, @Nullable RateLimit limit) {
        if (limit == null) {
            rates.remove(endpointId);
            return null;
        }
        Rate rate = rates.computeIfAbsent(endpointId, Rate::new);
        rate.limit = limit;
        return rate;
    }

    private boolean isAwaited(String endpointId) {
        Long capacityAt = held.get(endpointId);
        return capacityAt != null && capacityAt == Long.MAX_VALUE;
    }

    /** Not within the lock. */
    private void wake(boolean isFreed) {
        if (isFreed) {
            onFreedCapacity.run();
        }
    }

    private final class Rate {

        private final String endpointId;
        private final Set<String> booked = new HashSet<>();
        private final RecentRequests recent = new RecentRequests();
        /** Null if it may have changed. */
        private @Nullable RateLimit limit;

        Rate(String endpointId) {
            this.endpointId = endpointId;
        }

        int capacity() {
            RateLimit known = limit;
            return known == null
                    ? Integer.MAX_VALUE
                    : Math.max(0, unbooked(known) - recent.count(clock.millis(), windowMillis(known)));
        }

        /** Booked requests will begin at a time that is not known, and so will the next share. */
        long capacityAt() {
            RateLimit known = limit;
            if (known == null || capacity() > 0) {
                return Long.MIN_VALUE;
            }
            int most = unbooked(known) - 1;
            return most < 0 ? Long.MAX_VALUE : recent.fallsTo(most, windowMillis(known));
        }

        long windowMillis() {
            return limit == null ? 0 : windowMillis(limit);
        }

        private static long windowMillis(RateLimit limit) {
            return limit.window().toMillis();
        }

        private int unbooked(RateLimit known) {
            return nodes.share(endpointId, known.limit()) - booked.size();
        }
    }

    private static final class Rates extends LinkedHashMap<String, Rate> {

        private static final long serialVersionUID = 1L;

        Rates() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Rate> eldest) {
            return size() > MAX_ENDPOINTS;
        }
    }
}
