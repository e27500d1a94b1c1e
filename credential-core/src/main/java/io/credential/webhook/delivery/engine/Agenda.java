package io.credential.webhook.delivery.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

import io.credential.webhook.delivery.queue.DeliveryQueue.Turn;

/**
 * The endpoints that have due deliveries, or soon will, as far as this node knows: from what it stored itself, and from
 * looks at the table. The cost of a claim thus depends on what is due, and a claim starts where the last one ended: it does
 * not read rows that are settled but not yet removed. Endpoints take turns. Thread-safe.
 */
final class Agenda {

    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private long look;
    private boolean incomplete = true;

    /** Notes that an endpoint has a delivery that is due at this time. */
    synchronized void add(String endpointId, long dueAt) {
        entries.merge(endpointId, new Entry(dueAt, look), Entry::sooner);
    }

    /** Notes that deliveries may be due that this node does not know about. */
    synchronized void markIncomplete() {
        incomplete = true;
    }

    /** Returns whether such deliveries may be due, so that a look is needed now. */
    synchronized boolean mustLook() {
        return incomplete;
    }

    /** Returns the number of a look; to be called before the look. */
    synchronized long beginLook() {
        incomplete = false;
        return ++look;
    }

    /**
     * Notes what a look has found. Entries that it did not find again, and that were not added since it began, are removed.
     *
     * @param until the latest due time that it looked for, in Unix milliseconds
     * @param dueAts the earliest due time of each endpoint that it found
     */
    synchronized void endLook(long number, long until, Map<String, Long> dueAts) {
        entries.entrySet()
                .removeIf(entry -> entry.getValue().look < number
                        && entry.getValue().dueAt <= until
                        && !dueAts.containsKey(entry.getKey()));
        dueAts.forEach((endpointId, dueAt) -> {
            Entry known = entries.get(endpointId);
            Entry found = new Entry(dueAt, number);
            entries.put(endpointId, known == null || known.look < number ? found : known.sooner(found));
        });
    }

    /**
     * Removes and returns the endpoints whose turn it is. If a claim reaches the limit of a turn, the caller adds the
     * endpoint again.
     *
     * @param limit how many deliveries are wanted in total
     * @param room returns how many deliveries of an endpoint there is room for
     */
    synchronized List<Turn> take(long now, int limit, ToIntFunction<String> room) {
        Map<String, Integer> rooms = new LinkedHashMap<>();
        for (Map.Entry<String, Entry> entry : entries.entrySet()) {
            int free = entry.getValue().dueAt <= now ? room.applyAsInt(entry.getKey()) : 0;
            if (free > 0) {
                rooms.put(entry.getKey(), free);
            }
            if (rooms.size() == limit) {
                break;
            }
        }
        List<Turn> turns = new ArrayList<>();
        rooms.forEach((endpointId, free) -> {
            Entry entry = entries.remove(endpointId);
            if (entry != null) {
                turns.add(new Turn(endpointId, entry.dueAt, Math.min(free, limit / rooms.size())));
            }
        });
        return turns;
    }

    /** Puts unused turns back. */
    void putBack(Collection<Turn> turns) {
        turns.forEach(turn -> add(turn.endpointId(), turn.dueAt()));
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

    /** @param look the number of the last look that had begun when the entry was noted */
    private record Entry(long dueAt, long look) {

        Entry sooner(Entry other) {
            return new Entry(Math.min(dueAt, other.dueAt), Math.max(look, other.look));
        }
    }
}
