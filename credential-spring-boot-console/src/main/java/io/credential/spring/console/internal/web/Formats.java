package io.credential.spring.console.internal.web;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** How values are written. */
public final class Formats {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter FIELD =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Formats() {}

    /** Returns a number with commas between thousands. */
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Returns a time in UTC, to the second. */
    public static String time(Instant time) {
        return TIME.format(time);
    }

    /** Returns a time in ISO 8601, for programs. */
    public static String iso(Instant time) {
        return time.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /** Returns a time in UTC, as a field for a date and a time has it. */
    public static String field(Instant time) {
        return FIELD.format(time);
    }

    /** Returns a duration in the unit that suits it, for example {@code 340 ms} or {@code 2 h 5 min}. */
    public static String duration(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < 1) {
            return duration.toMillis() + " ms";
        }
        if (seconds < 60) {
            return seconds + "." + duration.toMillisPart() / 100 + " s";
        }
        if (seconds < 3600) {
            return parts(duration.toMinutes(), "min", duration.toSecondsPart(), "s");
        }
        return seconds < 86_400
                ? parts(duration.toHours(), "h", duration.toMinutesPart(), "min")
                : parts(duration.toDays(), "d", duration.toHoursPart(), "h");
    }

    private static String parts(long large, String largeUnit, int small, String smallUnit) {
        return large + " " + largeUnit + (small == 0 ? "" : " " + small + " " + smallUnit);
    }
}
