package io.credential.benchmarks.scale;

import org.junit.jupiter.api.Test;

import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.report.Row;

import static org.assertj.core.api.Assertions.assertThat;

class ScaleSmokeTests {

    private final Table table = new Table(System.out);

    @Test
    void growthWhenSmokeThenEachOperationIsMeasured() throws Exception {
        GrowthBenchmark.measure(Profile.SMOKE, table);

        assertThat(table.rows())
                .extracting(Row::label)
                .satisfiesExactly(
                        row -> assertThat(row).startsWith("growth, PostgreSQL: dispatch"),
                        row -> assertThat(row).startsWith("growth, PostgreSQL: claim"),
                        row -> assertThat(row).startsWith("growth, PostgreSQL: verify"),
                        row -> assertThat(row).startsWith("growth, SQLite: dispatch"),
                        row -> assertThat(row).startsWith("growth, SQLite: claim"),
                        row -> assertThat(row).startsWith("growth, SQLite: verify"));
    }

    @Test
    void isolationWhenSmokeThenBothCasesAreMeasured() throws Exception {
        IsolationBenchmark.measure(Profile.SMOKE, table);

        assertThat(table.rows())
                .hasSize(2)
                .allSatisfy(row -> assertThat(row.lowest()).isPositive());
    }

    @Test
    void memoryWhenSmokeThenHeapIsRead() throws Exception {
        MemoryBenchmark.measure(Profile.SMOKE, table);

        assertThat(table.rows())
                .filteredOn(row -> row.label().contains("ran out of"))
                .hasSize(2)
                .allSatisfy(row -> assertThat(row.highest()).isZero());
    }
}
