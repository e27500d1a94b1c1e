package io.credential.benchmarks.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClusterSmokeTests {

    private static final Duration TTL = Duration.ofSeconds(5);

    /** Longer than the run waits for a takeover, so that it is not judged by its time. */
    private static final Duration ANY_TIME = Duration.ofHours(1);

    @Test
    void faultsWhenLeaderIsKilledThenNoViolation() throws Exception {
        List<Violation> violations = ClusterFaults.run(List.of(Fault.KILL), ANY_TIME);

        assertThat(violations).isEmpty();
    }

    @Test
    void revocationsWhenOneRoundThenNotAcceptedAgain() throws Exception {
        Map<Revocation, List<Denial>> denials = ClusterRevocations.run(List.of(Revocation.values()), 1, TTL);

        assertThat(denials).containsOnlyKeys(Revocation.values());
        assertThat(denials.values())
                .allSatisfy(measured -> assertThat(measured)
                        .hasSize(2)
                        .extracting(Denial::acceptedAgain)
                        .containsOnly(0));
    }
}
