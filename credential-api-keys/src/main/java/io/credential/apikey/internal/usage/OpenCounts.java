package io.credential.apikey.internal.usage;

import java.util.concurrent.atomic.AtomicLongArray;

/** Counts one key on one day until it is closed to be written. Loses no count that {@link #add} has accepted. Thread-safe. */
final class OpenCounts {

    static final int REQUESTS = 0;

    /** Far enough below zero that later attempts to add do not bring a closed counter above it. */
    private static final long CLOSED = Long.MIN_VALUE;

    private static final int COUNTERS = 1 + RejectionCause.values().length;

    private final KeyDay key;
    private final AtomicLongArray counters = new AtomicLongArray(COUNTERS);

    private OpenCounts(KeyDay key) {
        this.key = key;
    }

    /** Returns counts that begin with one, so that none are written that are all zero. */
    static OpenCounts of(KeyDay key, int counter, long count) {
        OpenCounts counts = new OpenCounts(key);
        counts.counters.set(counter, count);
        return counts;
    }

    /** Returns the counter of a rejection. */
    static int counter(RejectionCause cause) {
        return switch (cause) {
            case RATE -> 1;
            case SCOPE -> 2;
            case NETWORK -> 3;
            case QUOTA -> 4;
        };
    }

    KeyDay key() {
        return key;
    }

    /** Returns false, and counts nothing, if the counter was closed meanwhile. */
    boolean add(int counter, long count) {
        return counters.getAndAdd(counter, count) >= 0;
    }

    /** Closes all counters, and returns what they counted. Must be called only once. */
    Counted close() {
        long[] counts = new long[COUNTERS];
        for (int counter = 0; counter < COUNTERS; counter++) {
            counts[counter] = counters.getAndSet(counter, CLOSED);
        }
        return new Counted(key, counts);
    }

    /**
     * What was counted.
     *
     * @param counts by counter; not changed any more
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Counted(KeyDay key, long[] counts) {

        long requests() {
            return counts[REQUESTS];
        }

        long rejected(RejectionCause cause) {
            return counts[counter(cause)];
        }
    }
}
