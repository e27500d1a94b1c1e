package io.credential.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Files with what was measured, so that no figure in the documentation is typed. */
public final class Figures {

    /** In the root of the project, or where {@code -Dcredential.benchmarks.figures} says. */
    private static final Path DIRECTORY =
            Path.of(System.getProperty("credential.benchmarks.figures", "credential-benchmarks/target/charts"));

    private Figures() {}

    /** Writes the rows as a chart and as a Markdown table. */
    public static void write(String name, List<Row> rows) throws IOException {
        write(DIRECTORY, name, rows);
    }

    static void write(Path directory, String name, List<Row> rows) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve(name + ".svg"), BarChart.draw(name, rows));
        Files.writeString(directory.resolve(name + ".md"), markdown(rows));
    }

    private static String markdown(List<Row> rows) {
        StringBuilder table =
                new StringBuilder("| measurement | lowest | median | highest | goal |\n|---|---|---|---|---|\n");
        for (Row row : rows) {
            Row.Goal goal = row.goal();
            table.append("| %s | %s | %s | %s | %s |%n"
                    .formatted(
                            row.label().replace("|", "\\|"),
                            Row.number(row.lowest()),
                            Row.number(row.median()),
                            Row.number(row.highest()),
                            goal == null
                                    ? ""
                                    : "%s %s: %s"
                                            .formatted(
                                                    goal.comparison(),
                                                    Row.number(goal.limit()),
                                                    goal.held() ? "held" : "missed")));
        }
        return table.toString();
    }
}
