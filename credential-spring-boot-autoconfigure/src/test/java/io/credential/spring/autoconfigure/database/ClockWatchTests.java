package io.credential.spring.autoconfigure.database;

import java.time.Duration;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.QueryTimeoutException;

import ch.qos.logback.classic.Level;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.testing.CapturedLog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class ClockWatchTests {

    @AutoClose
    private final CapturedLog logged = CapturedLog.of(ClockWatch.class);

    private Duration difference = Duration.ZERO;
    private final ClockWatch watch = new ClockWatch(() -> difference);

    @ParameterizedTest
    @ValueSource(longs = {60_000, -60_000, 3_600_000})
    void requireCloseWhenAMinuteOffThenRefused(long millis) {
        difference = Duration.ofMillis(millis);

        assertThatExceptionOfType(CredentialConfigurationException.class)
                .isThrownBy(watch::requireClose)
                .withMessageContainingAll(Math.abs(millis) / 1000 + " s", "less than 60 s");
    }

    @ParameterizedTest
    @ValueSource(longs = {5_000, -5_000, 59_999, -59_999})
    void requireCloseWhenFiveSecondsOffThenWarned(long millis) {
        difference = Duration.ofMillis(millis);

        watch.requireClose();

        assertThat(logged.lines(Level.WARN))
                .singleElement()
                .asString()
                .contains(millis < 0 ? "s behind that of the database" : "s ahead of that of the database");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 4_999, -4_999})
    void requireCloseWhenLessOffThenSilent(long millis) {
        difference = Duration.ofMillis(millis);

        watch.requireClose();

        assertThat(logged.lines(Level.WARN)).isEmpty();
    }

    @Test
    void runWhenClocksDriftApartThenWarnsOncePerExcursion() {
        watch.requireClose();
        difference = Duration.ofHours(1);
        watch.run();
        watch.run();
        assertThat(logged.lines(Level.WARN)).hasSize(1);

        difference = Duration.ZERO;
        watch.run();
        difference = Duration.ofSeconds(-6);
        watch.run();

        assertThat(logged.lines(Level.WARN)).hasSize(2);
    }

    @Test
    void runWhenDatabaseDoesNotAnswerThenGoesOn() {
        ClockWatch cutOff = new ClockWatch(() -> {
            throw new QueryTimeoutException("no answer");
        });

        assertThatNoException().isThrownBy(cutOff::run);
    }
}
