package io.credential.spring.console.internal.delivery;

import java.util.ArrayList;
import java.util.List;

import io.credential.spring.console.internal.web.Formats;
import io.credential.webhook.delivery.HourlyAttempts;

/**
 * Attempts by the hour, as bars: failed ones stand on accepted ones. All lengths are in the units of the picture.
 *
 * @param bars the oldest hour first
 * @param summary the numbers of all hours, as a text
 */
public record AttemptChart(List<Bar> bars, String summary) {

    /** The height of the picture. */
    public static final int HEIGHT = 60;

    /** The width of a bar. */
    public static final int BAR = 8;

    /** The distance between the left sides of two bars. */
    static final int STEP = 10;

    /** The width of the picture of 24 hours. */
    public static final int WIDTH = 24 * STEP;

    public AttemptChart {
        bars = List.copyOf(bars);
    }

    /** A bar with its text. */
    public record Bar(int x, int acceptedHeight, int failedHeight, String label) {

        /** Returns the upper side of the accepted attempts. */
        public int acceptedY() {
            return HEIGHT - acceptedHeight;
        }

        /** Returns the upper side of the failed attempts. */
        public int failedY() {
            return acceptedY() - failedHeight;
        }
    }

    /** Returns a chart whose highest bar is as high as the picture. */
    public static AttemptChart of(List<HourlyAttempts> hours) {
        long most = hours.stream()
                .mapToLong(hour -> hour.accepted() + hour.failed())
                .max()
                .orElse(0);
        List<Bar> bars = new ArrayList<>();
        for (int i = 0; i < hours.size(); i++) {
            HourlyAttempts hour = hours.get(i);
            if (hour.accepted() + hour.failed() > 0) {
                bars.add(bar(hour, STEP * i, most));
            }
        }
        long accepted = hours.stream().mapToLong(HourlyAttempts::accepted).sum();
        long failed = hours.stream().mapToLong(HourlyAttempts::failed).sum();
        long dead = hours.stream().mapToLong(HourlyAttempts::dead).sum();
        return new AttemptChart(
                bars,
                "%s accepted, %s failed; deliveries that died: %s, except by removal or erasure"
                        .formatted(Formats.count(accepted), Formats.count(failed), Formats.count(dead)));
    }

    private static Bar bar(HourlyAttempts hour, int x, long most) {
        int total = visible(hour.accepted() + hour.failed(), most);
        int failed = Math.min(total, visible(hour.failed(), most));
        return new Bar(
                x,
                total - failed,
                failed,
                "%s UTC: %s accepted, %s failed"
                        .formatted(
                                Formats.time(hour.hour()),
                                Formats.count(hour.accepted()),
                                Formats.count(hour.failed())));
    }

    /** Returns a height, of at least one unit if the number is not zero: a few failures must not disappear. */
    private static int visible(long number, long most) {
        return number == 0 ? 0 : (int) Math.max(1, Math.round((double) number * HEIGHT / most));
    }

    /** Returns whether there were no attempts. */
    public boolean isEmpty() {
        return bars.isEmpty();
    }
}
