package io.credential.benchmarks.dispatcher;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.credential.benchmarks.Table;
import io.credential.benchmarks.report.Row;

import static org.assertj.core.api.Assertions.assertThat;

class TakeoverSmokeTests {

    @Test
    void takeoverWhenSmokeThenNothingIsLost() throws Exception {
        Table table = new Table(System.out);

        boolean succeeded = DispatcherBenchmarks.run(List.of("takeover"), DispatcherBenchmarks.SMOKE, table);

        assertThat(succeeded).isTrue();
        assertThat(table.rows())
                .filteredOn(row -> row.label().endsWith("lost"))
                .hasSize(2)
                .extracting(Row::highest)
                .containsOnly(0.0);
    }
}
