package io.credential.webhook.delivery.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

import io.credential.webhook.delivery.queue.ClaimRequest.Turn;

/**
 * The endpoints that have something due, or soon will, as far as this node knows: from what it stored itself, and from
 * looking at the table now and then. So a claim costs by what is due, and begins where the last one ended: it does not walk
 * over rows that are done but not yet removed. Endpoints take turns. Thread-safe.
 */
final class Agenda {

    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private long look;
    private boolean incomplete = true;

    /** Notes a delivery of an endpoint. */
    synchronized void add(String endpointId, long dueAt) {
        entries.merge(endpointId, new Entry(dueAt, look), Entry::sooner);
    }

    /** Says that deliveries may be due that this node does not know about. */
    synchronized void markIncomplete() {
        incomplete = true;
    }

    /** Whether the table must be looked at, whatever the time. */
    synchronized boolean mustLook() {
        return incomplete;
    }

    /**
     * To be called before a look at the table.
     *
     * @return the number of the look
     */
    synchronized long beginLook() {
        incomplete = false;
        return ++look;
    }

    /**
     * Notes what a look has found, by endpoint. What it should have found, and was not added since, is forgotten.
     *
     * @param until the latest due time that it looked for, in unix milliseconds
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
     * Takes the endpoints whose turn it is out of the agenda. If a claim reaches the limit of one, the caller adds it again.
     *
     * @param limit how many deliveries are wanted in all
     * @param room how many of an endpoint there is room for
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

    /** Puts turns back that were not used. */
    void putBack(Collection<Turn> turns) {
        turns.forEach(turn -> add(turn.endpointId(), turn.dueAt()));
    }

    /** When the next endpoint becomes due, in unix milliseconds; {@link Long#MAX_VALUE} for never. */
    synchronized long nextDueAt(long now) {
        return entries.values().stream()
                .mapToLong(Entry::dueAt)
                .filter(dueAt -> dueAt > now)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Whether an endpoint is due that there is room for. */
    synchronized boolean hasTurn(long now, ToIntFunction<String> room) {
        return entries.entrySet().stream()
                .anyMatch(entry -> entry.getValue().dueAt <= now && room.applyAsInt(entry.getKey()) > 0);
    }

    /** @param look the last one that had begun when it was noted */
    private record Entry(long dueAt, long look) {

        Entry sooner(Entry other) {
            return new Entry(Math.min(dueAt, other.dueAt), Math.max(look, other.look));
        }
    }
}
