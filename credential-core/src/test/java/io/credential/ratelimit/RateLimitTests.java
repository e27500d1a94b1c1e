package io.credential.ratelimit;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RateLimitTests {

    @Test
    void newWhenWithinTheBoundsThenAccepted() {
        assertThat(new RateLimit(1, Duration.ofSeconds(1)).windowSeconds()).isEqualTo(1);
        assertThat(new RateLimit(1_000_000, Duration.ofDays(1)).windowSeconds()).isEqualTo(86_400);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1_000_001})
    void newWhenTheLimitIsOutOfBoundsThenFails(int limit) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RateLimit(limit, Duration.ofSeconds(60)))
                .withMessageContaining("1 to 1000000")
                .withMessageContaining(String.valueOf(limit));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.999S", "PT1.5S", "PT24H0.001S", "PT24H1S"})
    void newWhenTheWindowIsOutOfBoundsThenFails(Duration window) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RateLimit(1, window))
                .withMessageContaining("whole seconds");
    }
}
