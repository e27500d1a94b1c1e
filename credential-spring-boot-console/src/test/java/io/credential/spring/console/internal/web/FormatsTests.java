package io.credential.spring.console.internal.web;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class FormatsTests {

    private static final Instant TIME = Instant.parse("2026-10-25T01:02:03.456789Z");

    @ParameterizedTest
    @CsvSource({"0, 0", "999, 999", "1000, '1,000'", "2000000, '2,000,000'"})
    void countThenHasCommas(long number, String expected) {
        assertThat(Formats.count(number)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 ms",
        "PT0.34S, 340 ms",
        "PT0.999999S, 999 ms",
        "PT1S, 1.0 s",
        "PT1.55S, 1.5 s",
        "PT59S, 59.0 s",
        "PT1M, 1 min",
        "PT1M5S, 1 min 5 s",
        "PT59M59S, 59 min 59 s",
        "PT1H, 1 h",
        "PT2H5M59S, 2 h 5 min",
        "PT24H, 1 d",
        "PT49H, 2 d 1 h"
    })
    void durationThenHasItsUnit(Duration duration, String expected) {
        assertThat(Formats.duration(duration)).isEqualTo(expected);
    }

    @Test
    void durationWhenAlmostAMinuteThenIsNotRounded() {
        assertThat(Formats.duration(Duration.ofMillis(59_999))).isEqualTo("59.9 s");
    }

    @Test
    void timeThenIsInUtc() {
        assertThat(Formats.time(TIME)).isEqualTo("2026-10-25 01:02:03");
        assertThat(Formats.field(TIME)).isEqualTo("2026-10-25T01:02:03");
        assertThat(Formats.iso(TIME)).isEqualTo("2026-10-25T01:02:03.456Z");
    }
}
