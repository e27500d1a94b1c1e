package io.credential.benchmarks.report;

import java.util.List;
import java.util.Locale;

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
        chart.line("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                + " font-family=\"sans-serif\" font-size=\"12\">", width, height, width, height);
        chart.line("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", width, height);
        chart.line(
                "<text x=\"%d\" y=\"24\" font-size=\"15\" font-weight=\"bold\">%s: median, lowest to highest, and goal"
                        + "</text>",
                GAP,
                escaped(title));
        for (int i = 0; i < rows.size(); i++) {
            chart.draw(rows.get(i), TOP + i * ROW_HEIGHT);
        }
        chart.line("</svg>");
        return chart.svg.toString();
    }

    private void draw(Row row, int top) {
        Row.Goal goal = row.goal();
        double most = Math.max(row.highest(), goal == null ? 0 : goal.limit());
        double scale = most > 0 && Double.isFinite(most) ? BAR_WIDTH / most : 0;
        int middle = top + ROW_HEIGHT / 2;
        int baseline = middle + 4;
        String color = goal == null ? WITHOUT_GOAL : goal.held() ? HELD : MISSED;
        line("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", LABEL_WIDTH - GAP, baseline, escaped(row.label()));
        line(
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\" fill-opacity=\"0.6\"/>",
                LABEL_WIDTH,
                top + 5,
                row.median() * scale,
                ROW_HEIGHT - 10,
                color);
        upright(row.lowest() * scale, middle, 4, "black");
        upright(row.highest() * scale, middle, 4, "black");
        line(
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"black\"/>",
                LABEL_WIDTH + row.lowest() * scale,
                middle,
                LABEL_WIDTH + row.highest() * scale,
                middle);
        if (goal != null) {
            upright(goal.limit() * scale, middle, ROW_HEIGHT / 2, MISSED);
        }
        line(
                "<text x=\"%d\" y=\"%d\">%s (%s to %s)%s</text>",
                LABEL_WIDTH + BAR_WIDTH + GAP,
                baseline,
                Row.number(row.median()),
                Row.number(row.lowest()),
                Row.number(row.highest()),
                goal == null ? "" : escaped("   " + goal));
    }

    private void upright(double x, int middle, int reach, String color) {
        line(
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"%s\" stroke-width=\"1.5\"/>",
                LABEL_WIDTH + x,
                middle - reach,
                LABEL_WIDTH + x,
                middle + reach,
                color);
    }

    private void line(String format, Object... arguments) {
        svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
