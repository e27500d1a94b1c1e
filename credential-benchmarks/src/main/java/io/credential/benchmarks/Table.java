package io.credential.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.credential.benchmarks.report.Figures;
import io.credential.benchmarks.report.Row;

/** Prints each line as soon as it is measured, and keeps it for a chart. Not thread-safe. */
public final class Table {

    private static final String AT_LEAST = "at least";
    private static final String AT_MOST = "at most";

    private final PrintStream out;
    private final List<Row> rows = new ArrayList<>();

    public Table(PrintStream out) {
        this.out = out;
        out.printf(
                "%-72s %10s %10s %8s %8s %8s   %s%n",
                "", "measured", "yardstick", "lowest", "median", "highest", "goal, costs per delivery");
    }

    /** A ratio of two measurements, with the medians of both. */
    public void ratio(String row, Turns turns, String measured, String yardstick, String costs) {
        ratio(row, turns, measured, yardstick, null, costs);
    }

    /** A ratio of two measurements whose median must not be less than a goal. */
    public void ratioAtLeast(String row, Turns turns, String measured, String yardstick, double goal) {
        ratioAtLeast(row, turns, measured, yardstick, goal, "");
    }

    public void ratioAtLeast(String row, Turns turns, String measured, String yardstick, double goal, String costs) {
        double median = turns.ratio(measured, yardstick).median();
        ratio(row, turns, measured, yardstick, new Row.Goal(AT_LEAST, goal, median >= goal), costs);
    }

    /** A ratio of two measurements whose median must not be more than a goal. */
    public void ratioAtMost(String row, Turns turns, String measured, String yardstick, double goal) {
        ratioAtMost(row, turns, measured, yardstick, goal, "");
    }

    public void ratioAtMost(String row, Turns turns, String measured, String yardstick, double goal, String costs) {
        double median = turns.ratio(measured, yardstick).median();
        ratio(row, turns, measured, yardstick, new Row.Goal(AT_MOST, goal, median <= goal), costs);
    }

    private void ratio(
            String row, Turns turns, String measured, String yardstick, Row.@Nullable Goal goal, String costs) {
        line(
                row + ": " + measured + " / " + yardstick,
                Row.number(turns.spread(measured).median()),
                Row.number(turns.spread(yardstick).median()),
                turns.ratio(measured, yardstick),
                goal,
                costs);
    }

    /** A measurement that has no yardstick. */
    public void value(String row, Turns turns, String measured) {
        value(row, turns, measured, null);
    }

    /** A measurement without a yardstick that must never exceed a goal. */
    public void valueAtMost(String row, Turns turns, String measured, double goal) {
        value(
                row,
                turns,
                measured,
                new Row.Goal(AT_MOST, goal, turns.spread(measured).highest() <= goal));
    }

    /** A measurement without a yardstick whose median must not exceed a goal. */
    public void medianAtMost(String row, Turns turns, String measured, double goal) {
        value(
                row,
                turns,
                measured,
                new Row.Goal(AT_MOST, goal, turns.spread(measured).median() <= goal));
    }

    private void value(String row, Turns turns, String measured, Row.@Nullable Goal goal) {
        line(row + ": " + measured, "", "", turns.spread(measured), goal, "");
    }

    private void line(
            String label, String measured, String yardstick, Spread spread, Row.@Nullable Goal goal, String costs) {
        rows.add(new Row(label, spread.lowest(), spread.median(), spread.highest(), goal));
        out.printf(
                "%-72s %10s %10s %8.2f %8.2f %8.2f   %s%n",
                label,
                measured,
                yardstick,
                spread.lowest(),
                spread.median(),
                spread.highest(),
                goal == null ? costs : costs.isEmpty() ? goal : goal + "; " + costs);
    }

    /** Returns whether a goal was missed. */
    public boolean missedGoal() {
        return rows.stream().map(Row::goal).anyMatch(goal -> goal != null && !goal.held());
    }

    /** Returns what was printed. */
    public List<Row> rows() {
        return List.copyOf(rows);
    }

    /** Writes what was printed as a chart and as a Markdown table, as {@link Figures} describes. */
    public void write(String name) throws IOException {
        Figures.write(name, rows);
    }
}
