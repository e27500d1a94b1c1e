package io.credential.benchmarks.dispatcher;

import org.junit.jupiter.api.Test;

import io.credential.testing.DocTable;

/** The README of this module lists every benchmark of the dispatcher. */
class BenchmarkTableTests {

    @Test
    void tableThenListsEveryBenchmark() {
        DocTable.read("../credential-benchmarks/README.md", "benchmark")
                .assertListsExactly(DispatcherBenchmarks.BENCHMARKS.keySet());
    }
}
