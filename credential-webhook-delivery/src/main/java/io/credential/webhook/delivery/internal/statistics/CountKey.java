package io.credential.webhook.delivery.internal.statistics;

import java.util.Comparator;

/**
 * What is counted together.
 *
 * @param endpointId {@link #EVERY} for the totals of all endpoints
 * @param hour since 1970-01-01 in UTC
 * @param eventType {@link #EVERY} in totals, and for types that are not counted separately
 */
record CountKey(String endpointId, long hour, String eventType) implements Comparable<CountKey> {

    /** Neither an endpoint nor an event type has this name. */
    static final String EVERY = "";

    private static final Comparator<CountKey> ORDER = Comparator.comparing(CountKey::endpointId)
            .thenComparingLong(CountKey::hour)
            .thenComparing(CountKey::eventType);

    static CountKey total(long hour) {
        return new CountKey(EVERY, hour, EVERY);
    }

    boolean isTotal() {
        return endpointId.isEmpty();
    }

    CountKey withoutType() {
        return new CountKey(endpointId, hour, EVERY);
    }

    @Override
    public int compareTo(CountKey other) {
        return ORDER.compare(this, other);
    }
}
