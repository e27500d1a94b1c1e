package io.credential.benchmarks.console;

import java.util.EnumSet;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.console.ConsoleBenchmark.Part;
import io.credential.benchmarks.report.Row;

import static org.assertj.core.api.Assertions.assertThat;

class ConsoleSmokeIT {

    private final Table table = new Table(System.out);

    @Test
    void consoleWhenSmokeThenEachBudgetHasALine() throws Exception {
        ConsoleBenchmark.measure(EnumSet.complementOf(EnumSet.of(Part.LISTS)), Profile.SMOKE, table);

        assertThat(labels())
                .contains(
                        "console: KB of HTML, gzip, largest list page",
                        "console: KB of CSS, gzip",
                        "console: KB of script, gzip",
                        "console: requests for a page",
                        "console: KB of jar",
                        "console: percent of the processors for twenty consoles",
                        "console refresh: statements, overview",
                        "console refresh: statements, deliveries",
                        "console refresh: statements, one of deliveries",
                        "console: ms added to the start with the console");
        assertThat(table.rows())
                .filteredOn(
                        row -> row.label().contains(" KB of ") || row.label().endsWith("one of deliveries"))
                .allSatisfy(row -> assertThat(row.lowest()).isPositive());
    }

    @Test
    void listsWhenSmokeThenAllAnswer() throws Exception {
        ConsoleBenchmark.measure(EnumSet.of(Part.LISTS), Profile.SMOKE, table);

        assertThat(labels())
                .contains("console, PostgreSQL, 2,000 deliveries: p95 ms, dead")
                .contains("console, SQLite, 2,000 deliveries: p95 ms, dead");
        assertThat(table.rows()).allSatisfy(row -> assertThat(row.lowest()).isPositive());
    }

    private List<String> labels() {
        return table.rows().stream().map(Row::label).toList();
    }
}
