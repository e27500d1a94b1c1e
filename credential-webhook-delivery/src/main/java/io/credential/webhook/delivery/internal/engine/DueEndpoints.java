package io.credential.webhook.delivery.internal.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

import io.credential.webhook.delivery.internal.queue.DeliveryQueue.Quota;

/**
 * The endpoints that have due deliveries, or soon will, as far as this node knows: from what it stored itself, and from
 * scans of the table. The cost of a claim thus depends on what is due, and a claim starts where the last one ended: it does
 * not read rows that are settled but not yet removed. Endpoints take quotas. Thread-safe.
 */
final class DueEndpoints {

    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private long scan;
    private boolean incomplete = true;

    /** Notes that an endpoint has a delivery that is due at this time. */
    synchronized void add(String endpointId, long dueAt) {
        entries.merge(endpointId, new Entry(dueAt, scan), Entry::sooner);
    }

    /** Notes that deliveries may be due that this node does not know about. */
    synchronized void markIncomplete() {
        incomplete = true;
    }

    /** Returns whether such deliveries may be due, so that a scan is needed now. */
    synchronized boolean mustScan() {
        return incomplete;
    }

    /** Returns the number of a scan; to be called before the scan. */
    synchronized long beginScan() {
        incomplete = false;
        return ++scan;
    }

    /**
     * Notes what a scan has found. Entries that it did not find again, and that were not added since it began, are removed.
     *
     * @param until the latest due time that it looked for, in Unix milliseconds
     * @param dueAts the earliest due time of each endpoint that it found
     */
    synchronized void endScan(long number, long until, Map<String, Long> dueAts) {
        entries.entrySet()
                .removeIf(entry -> entry.getValue().scan < number
                        && entry.getValue().dueAt <= until
                        && !dueAts.containsKey(entry.getKey()));
        dueAts.forEach((endpointId, dueAt) -> {
            Entry known = entries.get(endpointId);
            Entry found = new Entry(dueAt, number);
            entries.put(endpointId, known == null || known.scan < number ? found : known.sooner(found));
        });
    }

    /**
     * Removes and returns the endpoints that are due, with a quota for each. If a claim reaches a quota, the caller adds the
     * endpoint again.
     *
     * @param limit how many deliveries are wanted in total
     * @param capacity returns how many deliveries of an endpoint there is capacity for
     */
    synchronized List<Quota> take(long now, int limit, ToIntFunction<String> capacity) {
        Map<String, Integer> capacities = new LinkedHashMap<>();
        for (Map.Entry<String, Entry> entry : entries.entrySet()) {
            int free = entry.getValue().dueAt <= now ? capacity.applyAsInt(entry.getKey()) : 0;
            if (free > 0) {
                capacities.put(entry.getKey(), free);
            }
            if (capacities.size() == limit) {
                break;
            }
        }
        List<Quota> quotas = new ArrayList<>();
        capacities.forEach((endpointId, free) -> {
            Entry entry = entries.remove(endpointId);
            if (entry != null) {
                quotas.add(new Quota(endpointId, entry.dueAt, Math.min(free, limit / capacities.size())));
            }
        });
        return quotas;
    }

    /** Puts unused quotas back. */
    void putBack(Collection<Quota> quotas) {
        quotas.forEach(quota -> add(quota.endpointId(), quota.dueAt()));
    }

    /** Returns when the next endpoint becomes due, in Unix milliseconds, or {@link Long#MAX_VALUE} if none does. */
    synchronized long nextDueAt(long now) {
        return entries.values().stream()
                .mapToLong(Entry::dueAt)
                .filter(dueAt -> dueAt > now)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Returns whether one of these endpoints is due. */
    synchronized boolean isDue(long now, Predicate<String> endpoints) {
        return entries.entrySet().stream()
                .anyMatch(entry -> entry.getValue().dueAt <= now && endpoints.test(entry.getKey()));
    }

    /** @param scan the number of the last scan that had begun when the entry was noted */
    private record Entry(long dueAt, long scan) {

        Entry sooner(Entry other) {
            return new Entry(Math.min(dueAt, other.dueAt), Math.max(scan, other.scan));
        }
    }
}
