package io.credential.benchmarks.cluster;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.credential.benchmarks.cluster.Call.Outcome;

import static org.assertj.core.api.Assertions.assertThat;

class DenialTests {

    private static final long REVOKED_AT = 10_000_000;

    @Test
    void ofWhenNothingIsAcceptedLaterThenZero() {
        List<Call> calls = List.of(accepted(8_000_000, 9_000_000), rejected(11_000_000, 12_000_000));

        assertThat(Denial.of(calls, REVOKED_AT)).isEqualTo(new Denial(0, 0, 0));
    }

    @Test
    void ofWhenCallWasUnderWayThenItsAnswerCounts() {
        List<Call> calls = List.of(accepted(9_000_000, 13_000_000), rejected(14_000_000, 15_000_000));

        assertThat(Denial.of(calls, REVOKED_AT)).isEqualTo(new Denial(3, 0, 0));
    }

    @Test
    void ofWhenAcceptedLaterThenCallsThatBeganLaterCount() {
        List<Call> calls = List.of(
                accepted(9_000_000, 11_000_000),
                accepted(11_000_000, 12_000_000),
                accepted(12_000_000, 13_000_000),
                rejected(13_000_000, 14_000_000));

        assertThat(Denial.of(calls, REVOKED_AT)).isEqualTo(new Denial(3, 2, 0));
    }

    @Test
    void ofWhenAcceptedAfterRejectionThenCounted() {
        List<Call> calls = List.of(rejected(11_000_000, 12_000_000), accepted(13_000_000, 14_000_000));

        assertThat(Denial.of(calls, REVOKED_AT)).isEqualTo(new Denial(4, 1, 1));
    }

    private static Call accepted(long start, long end) {
        return new Call(Operation.VERIFY, "node-1.1", "k1", 0, start, end, Outcome.YES, "");
    }

    private static Call rejected(long start, long end) {
        return new Call(Operation.VERIFY, "node-1.1", "k1", 0, start, end, Outcome.NO, "");
    }
}
