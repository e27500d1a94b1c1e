package io.credential.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class JoinedRunsTests {

    @TempDir
    private Path directory;

    @Test
    void pageWhenRunsOfTwoTitlesThenEachHasAColumn() throws IOException {
        String first = page("JDK 17", new Row("fast", 1, 2, 3, null));
        String second = page("JDK 25", new Row("fast", 4, 5, 6, null));
        String third = page("JDK 17", new Row("fast", 7, 8, 9, null));

        assertThat(JoinedRuns.page(List.of(first, second, third))).endsWith("""
                        ## figures
                        ![figures](figures.svg)

                        | measurement | goal | JDK 17 | JDK 25 |
                        |---|---|---|---|
                        | fast |  | 2.00, 8.00 | 5.00 |
                        """);
    }

    @Test
    void pageWhenGoalIsMissedThenMedianIsBold() throws IOException {
        String held = page("JDK 17", new Row("a | b", 1, 2, 3, new Row.Goal("at least", 2, true)));
        String missed = page("JDK 17", new Row("a | b", 1, 1, 3, new Row.Goal("at least", 2, false)));

        assertThat(JoinedRuns.page(List.of(held, missed))).endsWith("| a \\| b | at least 2.00 | 2.00, **1.00** |\n");
    }

    @Test
    void pageWhenOneRunLacksAMeasurementThenShowsADash() throws IOException {
        String with = page("JDK 25", new Row("fast", 1, 2, 3, null), new Row("new", 1, 2, 3, null));
        String without = page("JDK 25", new Row("fast", 1, 2, 3, null));

        assertThat(JoinedRuns.page(List.of(without, with))).endsWith("| new |  | -, 2.00 |\n");
    }

    private String page(String title, Row... rows) throws IOException {
        Figures.write(directory, "figures", List.of(rows));
        Figures.writePage(directory, title);
        return Files.readString(directory.resolve(Figures.PAGE));
    }
}
