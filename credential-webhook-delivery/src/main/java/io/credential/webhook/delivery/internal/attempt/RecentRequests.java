package io.credential.webhook.delivery.internal.attempt;

import java.util.ArrayDeque;

/**
 * Counts the requests to an endpoint that began within a window which ends now. Requests that began close together, within
 * a thirty-second part of the window, leave it together with the last of them, so that memory does not depend on their number.
 * Times are in Unix milliseconds. Not thread-safe.
 */
final class RecentRequests {

    private static final int SLOTS = 32;

    private final ArrayDeque<Slot> slots = new ArrayDeque<>();
    private int count;

    /** Returns how many requests began within the window. */
    int count(long now, long windowMillis) {
        Slot latest = slots.peekLast();
        if (latest != null && latest.last > now) { // the clock was set back
            slots.clear();
            slots.add(new Slot(now, count));
        }
        for (Slot first = slots.peek(); first != null && first.last + windowMillis <= now; first = slots.peek()) {
            count -= first.count;
            slots.remove();
        }
        return count;
    }

    /** Notes a request that begins now. */
    void add(long now, long windowMillis) {
        var unused = count(now, windowMillis);
        Slot latest = slots.peekLast();
        if (latest != null && now - latest.begun < windowMillis / SLOTS) {
            latest.last = now;
            latest.count++;
        } else {
            slots.add(new Slot(now, 1));
        }
        count++;
    }

    /** Returns when at most this many of the requests, which are not less than 0, are within the window. */
    long fallsTo(int most, long windowMillis) {
        int left = count;
        long at = Long.MIN_VALUE;
        for (Slot slot : slots) {
            if (left <= most) {
                break;
            }
            left -= slot.count;
            at = slot.last + windowMillis;
        }
        return at;
    }

    private static final class Slot {

        private final long begun;
        private long last;
        private int count;

        Slot(long begun, int count) {
            this.begun = begun;
            this.last = begun;
            this.count = count;
        }
    }
}
