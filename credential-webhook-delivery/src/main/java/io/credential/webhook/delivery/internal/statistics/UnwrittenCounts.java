package io.credential.webhook.delivery.internal.statistics;

import java.util.HashMap;
import java.util.Map;

/**
 * What was counted and not yet written. Bounded: at capacity, further combinations of endpoint, type and hour are counted without
 * the type, for as many endpoints and hours; beyond that, they are in the totals only. Thread-safe.
 */
final class UnwrittenCounts {

    private final int capacity;
    private Taken open = new Taken();

    UnwrittenCounts(int capacity) {
        this.capacity = capacity;
    }

    /** What was counted until it was taken; changed by one thread at a time. */
    static final class Taken {

        final Map<CountKey, AttemptCounts> counts = new HashMap<>();
        final Map<String, LastOutcomes> outcomes = new HashMap<>();

        boolean isEmpty() {
            return counts.isEmpty();
        }
    }

    /** Adds to the counts of a key and to the totals of its hour. */
    synchronized void add(CountKey key, AttemptCounts more) {
        addBounded(CountKey.total(key.hour()), more);
        addBounded(key, more);
    }

    /** Takes the outcome of an attempt into account. */
    synchronized void add(String endpointId, LastOutcomes outcome) {
        if (open.outcomes.size() < capacity || open.outcomes.containsKey(endpointId)) {
            open.outcomes.merge(endpointId, outcome, LastOutcomes::merge);
        }
    }

    /** Returns everything, and begins again. */
    synchronized Taken take() {
        Taken taken = open;
        open = new Taken();
        return taken;
    }

    /** Adds what was taken and could not be written. */
    synchronized void putBack(Taken taken) {
        taken.counts.forEach(this::addBounded);
        taken.outcomes.forEach(this::add);
    }

    private void addBounded(CountKey key, AttemptCounts more) {
        if (key.isTotal() || hasPlace(key, capacity)) {
            open.counts.merge(key, more, AttemptCounts::plus);
        } else if (hasPlace(key.withoutType(), 2 * capacity)) {
            open.counts.merge(key.withoutType(), more, AttemptCounts::plus);
        }
    }

    private boolean hasPlace(CountKey key, int limit) {
        return open.counts.size() < limit || open.counts.containsKey(key);
    }
}
