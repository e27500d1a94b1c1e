package io.credential.webhook.http;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RetryAfterTests {

    private static final Instant NOW = Instant.parse("2026-11-28T03:45:00Z");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "48",
                " 0000000000000048\t",
                "Sat, 28 Nov 2026 03:45:48 GMT",
                "sat, 28 nov 2026 03:45:48 gmt",
                "Saturday, 28-Nov-26 03:45:48 GMT",
                "Sat Nov 28 03:45:48 2026"
            })
    void parseWhenSecondsOrDateThenPause(String header) {
        assertThat(RetryAfter.parse(header, NOW)).hasValue(Duration.ofSeconds(48));
    }

    @Test
    void parseWhenDayHasOneDigitThenPadded() {
        assertThat(RetryAfter.parse("Tue Dec  1 03:45:00 2026", NOW)).hasValue(Duration.ofDays(3));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Saturday, 28-Nov-76 03:45:00 GMT | 2076",
                "Monday, 29-Nov-76 03:45:00 GMT | 1976",
                "Monday, 28-Nov-77 03:45:00 GMT | 1977"
            })
    void parseWhenYearHasTwoDigitsThenAtMost50YearsAhead(String header, int year) {
        Duration pause = RetryAfter.parse(header, NOW).orElseThrow();

        assertThat(pause.isZero()).isEqualTo(year < 2026);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "99999999999",
                "18446744073709551616",
                "999999999999999999999999999999",
                "Sun, 28 Nov 9999 03:45:48 GMT"
            })
    void parseWhenAbsurdlyLargeThenCapped(String header) {
        assertThat(RetryAfter.parse(header, NOW)).hasValue(RetryAfter.LONGEST);
    }

    @Test
    void parseWhenLeapSecondThenTheSecondBefore() {
        assertThat(RetryAfter.parse("Thu, 31 Dec 2026 23:59:60 GMT", NOW))
                .isEqualTo(RetryAfter.parse("Thu, 31 Dec 2026 23:59:59 GMT", NOW))
                .isPresent();
    }

    @Test
    void parseWhenDigitsNeverEndThenCapped() {
        assertThat(RetryAfter.parse("9".repeat(100_000), NOW)).hasValue(RetryAfter.LONGEST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "Fri, 27 Nov 2026 03:45:48 GMT", "Sun Nov  6 08:49:37 1994"})
    void parseWhenPastThenZero(String header) {
        assertThat(RetryAfter.parse(header, NOW)).hasValue(Duration.ZERO);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "soon",
                "-1",
                "+1",
                "1.5",
                "1 2",
                "\u0661",
                "Sun, 28 Nov 2026 03:45:48 GMT",
                "Sat, 31 Nov 2026 03:45:48 GMT",
                "Sat, 28 Nov 2026 25:45:48 GMT",
                "Sat, 28 Nov 2026 03:60:48 GMT",
                "Sat, 28 Nov 2026 03:45:48 PST",
                "2026-11-28T03:45:48Z"
            })
    void parseWhenGarbageThenEmpty(String header) {
        assertThat(RetryAfter.parse(header, NOW)).isEmpty();
    }
}
