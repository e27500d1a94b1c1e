package io.credential.benchmarks.dispatcher;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.benchmarks.Table;

import static org.assertj.core.api.Assertions.assertThat;

class DispatcherSmokeTests {

    private final Table table = new Table(System.out);

    @ParameterizedTest
    @ValueSource(strings = {"backlog", "held", "enqueue", "notify", "transaction", "search"})
    void runWhenSmokeThenPrints(String name) throws Exception {
        boolean succeeded = DispatcherBenchmarks.run(List.of(name), DispatcherBenchmarks.SMOKE, table);

        assertThat(succeeded).isTrue();
        assertThat(table.rows()).isNotEmpty();
    }
}
