package io.credential.benchmarks.report;

import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * An SVG image with a bar for each row: its length is the median, a line across it spans the lowest to the highest value, and
 * an upright line marks the goal. Rows have different units, so each has its own scale, which begins at 0.
 */
final class BarChart {

    private static final int LABEL_WIDTH = 560;
    private static final int BAR_WIDTH = 300;
    private static final int NOTE_WIDTH = 400;
    private static final int ROW_HEIGHT = 26;
    private static final int TOP = 44;
    private static final int GAP = 10;

    private static final String HELD = "#2e7d32";
    private static final String MISSED = "#c62828";
    private static final String WITHOUT_GOAL = "#546e7a";

    private final StringBuilder svg = new StringBuilder();

    private BarChart() {}

    static String draw(String title, List<Row> rows) {
        BarChart chart = new BarChart();
        int width = LABEL_WIDTH + BAR_WIDTH + NOTE_WIDTH;
        int height = TOP + rows.size() * ROW_HEIGHT + GAP;
        chart.svg.append("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" font-family="sans-serif" font-size="12">
                """.formatted(width, height));
        chart.rectangle(0, 0, width, height, "white");
        chart.text(GAP, 24, "start", title + ": median, lowest to highest, and goal");
        for (int i = 0; i < rows.size(); i++) {
            chart.draw(rows.get(i), TOP + i * ROW_HEIGHT);
        }
        return chart.svg.append("</svg>\n").toString();
    }

    private void draw(Row row, int top) {
        Row.Goal goal = row.goal();
        double most = Math.max(row.highest(), goal == null ? 0 : goal.limit());
        double scale = most > 0 && Double.isFinite(most) ? BAR_WIDTH / most : 0;
        double middle = top + ROW_HEIGHT / 2.0;
        double baseline = middle + 4;
        text(LABEL_WIDTH - GAP, baseline, "end", row.label());
        rectangle(LABEL_WIDTH, top + 5, row.median() * scale, ROW_HEIGHT - 10, color(goal));
        double lowest = LABEL_WIDTH + row.lowest() * scale;
        double highest = LABEL_WIDTH + row.highest() * scale;
        line(lowest, middle, highest, middle, "black");
        line(lowest, middle - 4, lowest, middle + 4, "black");
        line(highest, middle - 4, highest, middle + 4, "black");
        if (goal != null) {
            double limit = LABEL_WIDTH + goal.limit() * scale;
            line(limit, top, limit, top + ROW_HEIGHT, MISSED);
        }
        String values = "%s (%s to %s)"
                .formatted(Row.number(row.median()), Row.number(row.lowest()), Row.number(row.highest()));
        text(LABEL_WIDTH + BAR_WIDTH + GAP, baseline, "start", goal == null ? values : values + ", " + goal);
    }

    private static String color(Row.@Nullable Goal goal) {
        if (goal == null) {
            return WITHOUT_GOAL;
        }
        return goal.held() ? HELD : MISSED;
    }

    private void rectangle(double x, double y, double width, double height, String color) {
        svg.append("""
                <rect x="%s" y="%s" width="%s" height="%s" fill="%s" fill-opacity="0.6"/>
                """.formatted(pixels(x), pixels(y), pixels(width), pixels(height), color));
    }

    private void line(double x1, double y1, double x2, double y2, String color) {
        svg.append("""
                <line x1="%s" y1="%s" x2="%s" y2="%s" stroke="%s" stroke-width="1.5"/>
                """.formatted(pixels(x1), pixels(y1), pixels(x2), pixels(y2), color));
    }

    private void text(double x, double y, String anchor, String text) {
        svg.append("""
                <text x="%s" y="%s" text-anchor="%s">%s</text>
                """.formatted(
                        pixels(x),
                        pixels(y),
                        anchor,
                        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")));
    }

    private static String pixels(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
