package io.credential.benchmarks;

import java.io.PrintStream;

/** Prints each line as soon as it is measured. */
public final class Table {

    private final PrintStream out;
    private boolean missedGoal;

    public Table(PrintStream out) {
        this.out = out;
        out.printf(
                "%-72s %10s %10s %8s %8s %8s   %s%n",
                "", "measured", "yardstick", "lowest", "median", "highest", "per delivery, or goal");
    }

    /** A ratio of two measurements, with the medians of both. */
    public void ratio(String row, Turns turns, String measured, String yardstick, String costs) {
        line(
                row + ": " + measured + " / " + yardstick,
                number(turns.spread(measured).median()),
                number(turns.spread(yardstick).median()),
                turns.ratio(measured, yardstick),
                costs);
    }

    /** A measurement that has no yardstick. */
    public void value(String row, Turns turns, String measured) {
        line(row + ": " + measured, "", "", turns.spread(measured), "");
    }

    /** A ratio of two measurements whose median must not be less than a goal. */
    public void ratioAtLeast(String row, Turns turns, String measured, String yardstick, double goal) {
        ratio(
                row,
                turns,
                measured,
                yardstick,
                goal(turns.ratio(measured, yardstick).median() >= goal, "at least", goal));
    }

    /** A measurement without a yardstick that must never exceed a goal. */
    public void valueAtMost(String row, Turns turns, String measured, double goal) {
        Spread spread = turns.spread(measured);
        line(row + ": " + measured, "", "", spread, goal(spread.highest() <= goal, "at most", goal));
    }

    private String goal(boolean held, String comparison, double goal) {
        missedGoal |= !held;
        return "goal: %s %.2f, %s".formatted(comparison, goal, held ? "held" : "MISSED");
    }

    /** Returns whether a goal was missed. */
    public boolean missedGoal() {
        return missedGoal;
    }

    private void line(String label, String measured, String yardstick, Spread spread, String costs) {
        out.printf(
                "%-72s %10s %10s %8.2f %8.2f %8.2f   %s%n",
                label, measured, yardstick, spread.lowest(), spread.median(), spread.highest(), costs);
    }

    private static String number(double value) {
        return (value < 100 ? "%,.2f" : "%,.0f").formatted(value);
    }
}
