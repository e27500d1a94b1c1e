package io.credential.benchmarks;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PercentileTests {

    @Test
    void ofWhenHundredValuesThenP99IsTheSecondHighest() {
        double[] values =
                IntStream.rangeClosed(1, 100).mapToDouble(i -> 101 - i).toArray();

        assertThat(Percentile.of(values, 99)).isEqualTo(99);
        assertThat(Percentile.of(values, 50)).isEqualTo(50);
    }

    @Test
    void ofWhenOneValueThenThatValue() {
        assertThat(Percentile.of(new double[] {7}, 99)).isEqualTo(7);
    }
}
