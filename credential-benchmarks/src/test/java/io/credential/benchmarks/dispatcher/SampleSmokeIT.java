package io.credential.benchmarks.dispatcher;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.credential.benchmarks.Table;
import io.credential.benchmarks.report.Row;

import static org.assertj.core.api.Assertions.assertThat;

/** Benchmarks of the packaged sample. */
class SampleSmokeIT {

    private final Table table = new Table(System.out);

    @Test
    void apiWhenSmokeThenPrints() throws Exception {
        run("api");

        assertThat(table.rows()).isNotEmpty();
    }

    @Test
    void killWhenSmokeThenNothingIsLost() throws Exception {
        run("kill");

        assertThat(highest("lost")).isZero();
    }

    private void run(String name) throws Exception {
        assertThat(DispatcherBenchmarks.run(List.of(name), DispatcherBenchmarks.SMOKE, table))
                .isTrue();
    }

    private double highest(String measured) {
        return table.rows().stream()
                .filter(row -> row.label().endsWith(measured))
                .mapToDouble(Row::highest)
                .findFirst()
                .orElseThrow();
    }
}
