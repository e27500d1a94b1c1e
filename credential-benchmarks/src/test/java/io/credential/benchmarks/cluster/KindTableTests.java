package io.credential.benchmarks.cluster;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.credential.testing.DocTable;

/** The README of this module lists the kinds of rounds of the fault run and of the revocation run. */
class KindTableTests {

    private static final String PAGE = "../credential-benchmarks/README.md";

    @Test
    void tableThenListsEveryFault() {
        DocTable.read(PAGE, "fault")
                .assertListsExactly(Stream.of(Fault.values()).map(Fault::label).toList());
    }

    @Test
    void tableThenListsRevocationsWithTheirRounds() {
        Map<String, String> rounds = Stream.of(Revocation.values())
                .collect(Collectors.toMap(
                        Revocation::label, kind -> String.valueOf(kind.rounds(ClusterRevocations.ROUNDS))));

        DocTable.read(PAGE, "revocation").assertColumn("rounds", rounds);
    }
}
