package io.credential.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rows of those tables of pages under {@code docs} whose first column has a given heading. Several tables with that
 * heading count as one. The tests of all modules use it to hold pages to the code.
 */
public final class DocTable {

    private final String page;
    private final String heading;
    private final Map<String, Map<String, String>> rows = new LinkedHashMap<>();

    private DocTable(String page, String heading) {
        this.page = page;
        this.heading = heading;
    }

    /**
     * Reads a page.
     *
     * @param page    a file, relative to {@code docs}
     * @param heading the heading of the first column; its cells must differ
     */
    public static DocTable read(String page, String heading) {
        return read(List.of(page), heading);
    }

    /** Reads several pages; their tables count as one. */
    public static DocTable read(List<String> pages, String heading) {
        DocTable table = new DocTable(String.join(", docs/", pages), heading);
        pages.forEach(table::addTables);
        return table;
    }

    private void addTables(String page) {
        List<String> columns = List.of();
        for (String line : lines(Path.of("../docs", page))) {
            List<String> cells = cells(line);
            if (cells.isEmpty()) {
                columns = List.of();
            } else if (columns.isEmpty()) {
                columns = cells;
            } else if (columns.get(0).equals(heading) && !cells.get(0).startsWith("--")) {
                add(columns, cells);
            }
        }
    }

    /** Fails unless the first column lists exactly these, in any order, and says which rows to add or to remove. */
    public void assertListsExactly(Collection<String> expected) {
        TreeSet<String> missing = new TreeSet<>(expected);
        missing.removeAll(rows.keySet());
        TreeSet<String> tooMany = new TreeSet<>(rows.keySet());
        tooMany.removeAll(expected);
        assertThat(missing)
                .as("Add a row for each of these to the table with the column '%s' in docs/%s", heading, page)
                .isEmpty();
        assertThat(tooMany)
                .as("The code has none of these: correct or remove their rows in docs/%s (column '%s')", page, heading)
                .isEmpty();
    }

    /** Fails unless a column has exactly these cells; expected by the cell in the first column. */
    public void assertColumn(String column, Map<String, String> expected) {
        assertListsExactly(expected.keySet());
        Map<String, String> wrong = new TreeMap<>();
        column(column).forEach((key, cell) -> {
            String right = requireNonNull(expected.get(key));
            if (!cell.equals(right)) {
                wrong.put(key, "is '" + cell + "', must be '" + right + "'");
            }
        });
        assertThat(wrong)
                .as("Correct the column '%s' of these rows in docs/%s", column, page)
                .isEmpty();
    }

    /** The cells of a column, by the cell in the first column, where code is without its back-quotes. */
    public Map<String, String> column(String column) {
        Map<String, String> cells = new LinkedHashMap<>();
        rows.forEach((key, row) -> {
            assertThat(row).as("docs/%s, row of '%s'", page, key).containsKey(column);
            cells.put(key, requireNonNull(row.get(column)));
        });
        return cells;
    }

    private void add(List<String> columns, List<String> cells) {
        assertThat(cells).as("docs/%s: cells of a row", page).hasSameSizeAs(columns);
        String key = cells.get(0).replace("`", "");
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 1; i < columns.size(); i++) {
            row.put(columns.get(i), cells.get(i));
        }
        assertThat(rows.put(key, row))
                .as("docs/%s: another row of '%s'", page, key)
                .isNull();
    }

    /** The cells of a row, empty for a line outside of a table. A pipe inside a cell is written {@code \|}. */
    private static List<String> cells(String line) {
        String trimmed = line.strip();
        if (!trimmed.startsWith("|") || !trimmed.endsWith("|")) {
            return List.of();
        }
        List<String> cells = new ArrayList<>();
        for (String cell : trimmed.substring(1, trimmed.length() - 1).split("(?<!\\\\)\\|", -1)) {
            cells.add(cell.strip().replace("\\|", "|"));
        }
        return cells;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
