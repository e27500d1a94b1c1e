package io.credential.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.util.FileSystemUtils;

/** Files with what was measured, so that no figure in the documentation is typed. */
public final class Figures {

    /** The working directory is the root of the project. */
    private static final Path DIRECTORY = Path.of("credential-benchmarks/target/charts");

    static final String PAGE = "README.md";
    private static final String SUFFIX = ".md";

    private Figures() {}

    /** Writes the rows as a chart and as a Markdown table. */
    public static void write(String name, List<Row> rows) throws IOException {
        write(DIRECTORY, name, rows);
    }

    /** Deletes what was written before. */
    public static void clear() throws IOException {
        FileSystemUtils.deleteRecursively(DIRECTORY);
    }

    /** Joins all charts and tables to one page. */
    public static void writePage(String title) throws IOException {
        writePage(DIRECTORY, title);
    }

    static void writePage(Path directory, String title) throws IOException {
        StringBuilder page = new StringBuilder("# " + title + "\n");
        for (String name : names(directory)) {
            page.append("\n## %1$s\n![%1$s](%1$s.svg)\n\n".formatted(name))
                    .append(Files.readString(directory.resolve(name + SUFFIX)));
        }
        Files.writeString(directory.resolve(PAGE), page);
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(SUFFIX) && !file.equals(PAGE))
                    .map(file -> file.substring(0, file.length() - SUFFIX.length()))
                    .sorted()
                    .toList();
        }
    }

    static void write(Path directory, String name, List<Row> rows) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve(name + ".svg"), BarChart.draw(name, rows));
        Files.writeString(directory.resolve(name + SUFFIX), markdown(rows));
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
