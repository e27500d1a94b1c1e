package io.credential.webhook.delivery;

import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The times that {@code docs/operating-webhooks.md} gives, from the first attempt to the last. */
class RetryBackoffTests {

    private static final RandomGenerator LEAST = () -> 0;
    private static final RandomGenerator MOST = () -> -1;

    @Test
    void pausesWhenDefaultsThenEndAfter635To699Seconds() {
        assertThat(untilAttempt(8, RetryBackoff.defaults(), LEAST)).isEqualTo(Duration.ofSeconds(635));
        assertThat(untilAttempt(8, RetryBackoff.defaults(), MOST))
                .isBetween(Duration.ofSeconds(698), Duration.ofSeconds(699));
    }

    @Test
    void pausesWhen24AttemptsUpTo6HoursThenAboutThreeDays() {
        RetryBackoff patient = new RetryBackoff(Duration.ofSeconds(5), Duration.ofHours(6), 2, 0.1);

        assertThat(untilAttempt(24, patient, LEAST)).isEqualTo(Duration.ofSeconds(256_955));
    }

    @Test
    void pauseWhenLongestThenJitterAddsNothing() {
        RetryBackoff jittery = new RetryBackoff(Duration.ofSeconds(5), Duration.ofMinutes(1), 2, 1);

        assertThat(jittery.pauseMillis(5, MOST)).isEqualTo(60_000);
    }

    private static Duration untilAttempt(int attempt, RetryBackoff backoff, RandomGenerator random) {
        return Duration.ofMillis(IntStream.range(1, attempt)
                .mapToLong(failed -> backoff.pauseMillis(failed, random))
                .sum());
    }
}
