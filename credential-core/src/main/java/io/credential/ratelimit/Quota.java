package io.credential.ratelimit;

import java.io.Serializable;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Permits a number of requests in each calendar day or month.
 *
 * @param limit how many requests each period permits; 1 to 1,000,000,000
 * @param period which periods are counted
 * @param zone whose midnight begins a period
 * @since 0.1.0
 */
public record Quota(int limit, Period period, ZoneId zone) implements Serializable {

    public static final int MAX_LIMIT = 1_000_000_000;

    private static final ZoneId UTC = ZoneId.of("UTC");

    /** @throws IllegalArgumentException if the limit is out of range */
    public Quota {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("The quota must be 1 to " + MAX_LIMIT + " requests, but is " + limit);
        }
        zone = zone.equals(ZoneOffset.UTC) ? UTC : zone; // its text would be Z
    }

    /** A calendar period. */
    public enum Period {
        /** From midnight to midnight. */
        DAY("day"),
        /** From midnight of the first day to that of the next month. */
        MONTH("month");

        private final String text;

        Period(String text) {
            this.text = text;
        }

        /** Returns the name in properties and JSON, for example {@code day}. */
        public String text() {
            return text;
        }
    }
}
