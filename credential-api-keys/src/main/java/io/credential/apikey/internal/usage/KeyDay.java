package io.credential.apikey.internal.usage;

import java.util.Comparator;

import org.jspecify.annotations.Nullable;

/** A key and a day, the unit of counting. The natural order is that in which rows are written. */
record KeyDay(String namespace, String id, long epochDay) implements Comparable<KeyDay> {

    private static final Comparator<KeyDay> ORDER =
            Comparator.comparing(KeyDay::namespace).thenComparing(KeyDay::id).thenComparingLong(KeyDay::epochDay);

    @Override
    public int compareTo(KeyDay other) {
        return ORDER.compare(this, other);
    }

    /** Written out, because it runs on every verify. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyDay that
                && epochDay == that.epochDay
                && id.equals(that.id)
                && namespace.equals(that.namespace);
    }

    /** Ids are random, so their hash is enough, and {@code String} caches it. */
    @Override
    public int hashCode() {
        return id.hashCode() + Long.hashCode(epochDay);
    }
}
