package io.credential.benchmarks.dispatcher;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.credential.benchmarks.Table;

import static org.assertj.core.api.Assertions.assertThat;

class DispatcherSmokeTests {

    private final Table table = new Table(System.out);

    @Test
    void runWhenSmokeThenEachBenchmarkPrints() throws Exception {
        boolean succeeded =
                DispatcherBenchmarks.run(List.of("enqueue", "transaction"), DispatcherBenchmarks.SMOKE, table);

        assertThat(succeeded).isTrue();
        assertThat(table.rows()).hasSize(3);
    }
}
