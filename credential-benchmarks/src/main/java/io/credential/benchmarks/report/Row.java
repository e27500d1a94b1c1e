package io.credential.benchmarks.report;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * The spread of one measurement.
 *
 * @param goal null if the measurement has none
 */
public record Row(
        String label,
        double lowest,
        double median,
        double highest,
        @Nullable Goal goal) {

    /** Returns a number as it is printed: without decimals from 100. */
    public static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 100 ? "%.2f" : "%,.0f", value);
    }

    /**
     * The limit of a measurement.
     *
     * @param comparison {@code at least} or {@code at most}
     */
    public record Goal(String comparison, double limit, boolean held) {

        @Override
        public String toString() {
            return "goal: %s %s, %s".formatted(comparison, number(limit), held ? "held" : "MISSED");
        }
    }
}
