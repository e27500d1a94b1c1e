package io.credential.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Joins the pages of several runs into one, which shows the median of each run. Arguments: the directories that the runs
 * wrote. Prints the page; its charts are those of one run.
 */
public final class JoinedRuns {

    private static final String TITLE = "# ";
    private static final String SECTION = "## ";

    /** A row of a page: measurement, lowest, median, highest, goal. */
    private static final int CELLS = 5;

    private static final int MEDIAN = 2;
    private static final int GOAL = 4;

    /** The medians of each run by measurement, by the title of the page. */
    private final SortedMap<String, List<Map<String, String>>> runs = new TreeMap<>();

    /** The goals, or empty texts, of all measurements of each section, in the order of the pages. */
    private final Map<String, Map<String, String>> goals = new LinkedHashMap<>();

    private JoinedRuns() {}

    public static void main(String[] directories) throws IOException {
        List<String> pages = new ArrayList<>();
        for (String directory : directories) {
            pages.add(Files.readString(Path.of(directory, Figures.PAGE)));
        }
        System.out.print(page(pages));
    }

    /** @param pages as {@link Figures#writePage(String)} writes them */
    static String page(List<String> pages) {
        JoinedRuns joined = new JoinedRuns();
        pages.forEach(joined::add);
        return joined.print();
    }

    private void add(String page) {
        Map<String, String> run = new HashMap<>();
        String section = "";
        for (String line : page.lines().toList()) {
            if (line.startsWith(SECTION)) {
                section = line.substring(SECTION.length());
            } else if (line.startsWith(TITLE)) {
                runs.computeIfAbsent(line.substring(TITLE.length()), title -> new ArrayList<>())
                        .add(run);
            } else if (line.startsWith("| ") && !line.startsWith("| measurement |")) {
                addRow(section, line, run);
            }
        }
    }

    private void addRow(String section, String line, Map<String, String> run) {
        // Pipes in a cell are escaped.
        List<String> cells = Stream.of(line.substring(1).split("(?<!\\\\)\\|", -1))
                .map(String::strip)
                .limit(CELLS)
                .toList();
        String goal = cells.get(GOAL);
        int end = goal.indexOf(':');
        goals.computeIfAbsent(section, name -> new LinkedHashMap<>())
                .put(cells.get(0), end < 0 ? "" : goal.substring(0, end));
        String median = cells.get(MEDIAN);
        run.put(section + cells.get(0), goal.endsWith(": missed") ? "**" + median + "**" : median);
    }

    private String print() {
        StringBuilder page = new StringBuilder(
                "# All benchmarks\nMedians of each run, bold where the run misses the goal. The charts show one run.\n");
        String head = "| measurement | goal | " + String.join(" | ", runs.keySet()) + " |\n|---|---|"
                + "---|".repeat(runs.size()) + "\n";
        goals.forEach((section, rows) -> {
            page.append("\n## %1$s\n![%1$s](%1$s.svg)\n\n".formatted(section)).append(head);
            rows.forEach((label, goal) -> {
                String cells = runs.values().stream()
                        .map(ofTitle -> medians(ofTitle, section + label))
                        .collect(Collectors.joining(" | "));
                page.append("| %s | %s | %s |\n".formatted(label, goal, cells));
            });
        });
        return page.toString();
    }

    private static String medians(List<Map<String, String>> runs, String row) {
        return runs.stream().map(run -> run.getOrDefault(row, "-")).collect(Collectors.joining(", "));
    }
}
