package io.credential.webhook.http;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Parses {@code Retry-After} (RFC 9110, section 10.2.3): a number of seconds, or a date in one of the three forms that
 * receivers of HTTP must accept (section 5.6.7).
 */
final class RetryAfter {

    /** Longer pauses are reduced to this, also those with too many digits for a number; callers have lower limits. */
    static final Duration LONGEST = Duration.ofDays(36_500);

    private static final int MAX_LENGTH = 256;
    private static final int YEARS_AHEAD = 50;
    private static final Pattern LEAP_SECOND = Pattern.compile("(:[0-9]{2}):60");
    private static final Pattern SECONDS = Pattern.compile("[0-9]+");
    private static final BigInteger LONGEST_SECONDS = BigInteger.valueOf(LONGEST.toSeconds());

    private static final DateTimeFormatter IMF_FIXDATE = formatter("EEE, dd MMM uuuu HH:mm:ss 'GMT'");
    private static final DateTimeFormatter ASCTIME = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .appendPattern("EEE MMM ")
            .padNext(2)
            .appendValue(ChronoField.DAY_OF_MONTH, 1, 2, SignStyle.NOT_NEGATIVE)
            .appendPattern(" HH:mm:ss uuuu")
            .toFormatter(Locale.US)
            .withResolverStyle(ResolverStyle.STRICT);

    private RetryAfter() {}

    /**
     * Returns how long to wait.
     *
     * @return never negative, at most {@link #LONGEST}; empty if the text has none of the forms
     */
    static Optional<Duration> parse(String header, Instant now) {
        String text = header.strip();
        if (SECONDS.matcher(text).matches()) {
            return Optional.of(seconds(text));
        }
        return text.length() > MAX_LENGTH ? Optional.empty() : date(text, now).map(at -> until(at, now));
    }

    private static Duration seconds(String digits) {
        boolean fits = digits.length() <= MAX_LENGTH && new BigInteger(digits).compareTo(LONGEST_SECONDS) <= 0;
        return fits ? Duration.ofSeconds(Long.parseLong(digits)) : LONGEST;
    }

    private static Duration until(Instant at, Instant now) {
        Duration pause = Duration.between(now, at);
        if (pause.isNegative()) {
            return Duration.ZERO;
        }
        return pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
    }

    private static Optional<Instant> date(String text, Instant now) {
        String date = LEAP_SECOND.matcher(text).replaceFirst("$1:59");
        LocalDateTime latest = LocalDateTime.ofInstant(now, ZoneOffset.UTC).plusYears(YEARS_AHEAD);
        return parsed(date, IMF_FIXDATE)
                .or(() -> parsed(date, rfc850(latest.getYear())).filter(at -> !at.isAfter(latest)))
                .or(() -> parsed(date, rfc850(latest.getYear() - 1)))
                .or(() -> parsed(date, ASCTIME))
                .map(at -> at.toInstant(ZoneOffset.UTC));
    }

    private static Optional<LocalDateTime> parsed(String date, DateTimeFormatter format) {
        try {
            return Optional.of(LocalDateTime.parse(date, format));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** The year has two digits; a date that appears to be more than 50 years ahead is in the past. */
    private static DateTimeFormatter rfc850(int latestYear) {
        return new DateTimeFormatterBuilder()
                .parseCaseInsensitive()
                .appendPattern("EEEE, dd-MMM-")
                .appendValueReduced(ChronoField.YEAR, 2, 2, latestYear - 99)
                .appendPattern(" HH:mm:ss 'GMT'")
                .toFormatter(Locale.US)
                .withResolverStyle(ResolverStyle.STRICT);
    }

    private static DateTimeFormatter formatter(String pattern) {
        return new DateTimeFormatterBuilder()
                .parseCaseInsensitive()
                .appendPattern(pattern)
                .toFormatter(Locale.US)
                .withResolverStyle(ResolverStyle.STRICT);
    }
}
