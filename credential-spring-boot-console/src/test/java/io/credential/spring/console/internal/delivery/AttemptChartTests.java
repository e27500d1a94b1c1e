package io.credential.spring.console.internal.delivery;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.credential.webhook.delivery.HourlyAttempts;

import static org.assertj.core.api.Assertions.assertThat;

/** Attempts of a day as bars. */
class AttemptChartTests {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void chartWhenThereAreNoAttemptsThenEmpty() {
        assertThat(chart(new long[2]).isEmpty()).isTrue();
        assertThat(AttemptChart.of(List.of()).isEmpty()).isTrue();
        assertThat(chart(new long[2], new long[] {1, 0}).isEmpty()).isFalse();
    }

    @Test
    void barThenStandsAtItsHour() {
        AttemptChart chart = chart(new long[2], new long[] {1, 0}, new long[2], new long[] {0, 1});

        assertThat(chart.bars()).extracting(AttemptChart.Bar::x).containsExactly(10, 30);
        assertThat(AttemptChart.WIDTH).isEqualTo(240);
    }

    @Test
    void barThenFailedStandOnAccepted() {
        AttemptChart.Bar bar = chart(new long[] {3, 1}).bars().get(0);

        assertThat(bar.acceptedHeight()).isEqualTo(45);
        assertThat(bar.failedHeight()).isEqualTo(15);
        assertThat(bar.acceptedY()).isEqualTo(15);
        assertThat(bar.failedY()).isZero();
    }

    @Test
    void barThenHeightIsRelativeToTheHighest() {
        assertThat(chart(new long[] {100, 0}, new long[] {30, 20}).bars())
                .extracting(bar -> bar.acceptedHeight() + bar.failedHeight())
                .containsExactly(60, 30);
    }

    @Test
    void barWhenFewAreManyThenStaysVisible() {
        List<AttemptChart.Bar> bars =
                chart(new long[] {1_000_000, 1}, new long[] {0, 1}).bars();

        assertThat(bars).extracting(AttemptChart.Bar::failedHeight).containsExactly(1, 1);
        assertThat(bars).extracting(AttemptChart.Bar::acceptedHeight).containsExactly(59, 0);
    }

    @Test
    void textThenHasAllNumbers() {
        AttemptChart chart = chart(new long[] {1000, 2}, new long[] {500, 1});

        assertThat(chart.summary())
                .isEqualTo("1,500 accepted, 3 failed; deliveries that died: 10, except by removal or erasure");
        assertThat(chart.bars())
                .extracting(AttemptChart.Bar::label)
                .containsExactly(
                        "2026-01-01 00:00:00 UTC: 1,000 accepted, 2 failed",
                        "2026-01-01 01:00:00 UTC: 500 accepted, 1 failed");
    }

    /** @param hours accepted and failed attempts of each; in each, five deliveries died */
    private static AttemptChart chart(long[]... hours) {
        List<HourlyAttempts> attempts = new ArrayList<>();
        for (int i = 0; i < hours.length; i++) {
            attempts.add(new HourlyAttempts(START.plusSeconds(3600L * i), hours[i][0], hours[i][1], 5));
        }
        return AttemptChart.of(attempts);
    }
}
