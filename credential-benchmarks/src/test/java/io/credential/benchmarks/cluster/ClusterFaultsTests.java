package io.credential.benchmarks.cluster;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClusterFaultsTests {

    @Test
    void scheduleWhenNothingIsChosenThenAllFaults() {
        List<Fault> faults = ClusterFaults.schedule(50, List.of());

        assertThat(faults).hasSize(50).contains(Fault.values());
        assertThat(faults.get(9)).isEqualTo(Fault.RESTART_FAST);
        assertThat(faults.get(19)).isEqualTo(Fault.RESTART_IMMEDIATE);
        assertThat(faults.get(29)).isEqualTo(Fault.FAILOVER);
        assertThat(faults.stream().filter(Fault::isAgainstLeader)).hasSize(45);
    }

    @Test
    void scheduleWhenKindsAreChosenThenTheyTakeTurns() {
        assertThat(ClusterFaults.schedule(3, List.of(Fault.CUT, Fault.KILL)))
                .containsExactly(Fault.CUT, Fault.KILL, Fault.CUT);
    }
}
