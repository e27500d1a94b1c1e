package io.credential.audit.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Aggregates failures that anyone can cause: the first one of a reason is reported immediately, those that follow
 * within the interval as one count. Bounded. Thread-safe.
 */
public final class Rejections {

    /** Stands for all reasons beyond those that are distinguished. */
    static final String OTHER_REASON = "other";

    private static final int MAX_WINDOWS = 64;
    private static final int MAX_IDS = 10;

    private final Duration interval;
    private final Map<Cause, Window> windows = new HashMap<>();
    private volatile boolean pending;

    /**
     * @param interval how long further failures of a reason are counted and not reported
     */
    public Rejections(Duration interval) {
        this.interval = interval;
    }

    /**
     * A failure, or a count of failures.
     *
     * @param count whether it stands for counted failures and not for a single one; then the attribute {@code count} is
     *     their number, and {@code ids} the first ids, if any
     */
    public record Report(
            String name, String reason, @Nullable String resourceId, Map<String, Object> attributes, boolean count) {}

    /** Notes a failure; returns the report to make now, or null if the failure is only counted. */
    public synchronized @Nullable Report note(
            String name, String reason, @Nullable String resourceId, Map<String, Object> attributes, Instant now) {
        Cause cause = new Cause(name, reason);
        if (windows.size() >= MAX_WINDOWS && !windows.containsKey(cause)) {
            cause = new Cause(name, OTHER_REASON);
        }
        Window window = windows.get(cause);
        if (window == null || (window.count == 0 && isOver(window, now))) {
            windows.put(cause, new Window(now));
            return new Report(name, cause.reason(), resourceId, attributes, false);
        }
        window.count(resourceId, attributes);
        if (isOver(window, now)) {
            windows.put(cause, new Window(now));
            return window.report(cause);
        }
        pending = true;
        return null;
    }

    /** Whether any counted failure has not been reported yet. */
    boolean isPending() {
        return pending;
    }

    /** Takes the counts whose interval has ended. */
    List<Report> due(Instant now) {
        return take(now, false);
    }

    /** Takes all counts, whether or not their interval is over. */
    public List<Report> all(Instant now) {
        return take(now, true);
    }

    private synchronized List<Report> take(Instant now, boolean all) {
        List<Report> reports = new ArrayList<>();
        boolean left = false;
        for (Iterator<Map.Entry<Cause, Window>> entries = windows.entrySet().iterator(); entries.hasNext(); ) {
            Map.Entry<Cause, Window> entry = entries.next();
            Window window = entry.getValue();
            boolean over = isOver(window, now);
            boolean reported = window.count > 0 && (all || over);
            if (reported) {
                reports.add(window.report(entry.getKey()));
            }
            if (over) {
                entries.remove(); // the next failure is reported at once, with its details
            } else if (reported) {
                entry.setValue(new Window(now));
            } else {
                left |= window.count > 0;
            }
        }
        pending = left;
        return reports;
    }

    /** A clock that was set back also ends an interval: it must not silence a reason. */
    private boolean isOver(Window window, Instant now) {
        Duration age = Duration.between(window.since, now);
        return age.isNegative() || age.compareTo(interval) >= 0;
    }

    private record Cause(String name, String reason) {}

    /** The failures counted since a report. */
    private static final class Window {

        private final Instant since;
        private final Set<String> ids = new LinkedHashSet<>();
        private final Map<String, Object> common = new HashMap<>();
        private long count;

        Window(Instant since) {
            this.since = since;
        }

        void count(@Nullable String resourceId, Map<String, Object> attributes) {
            if (count == 0) {
                common.putAll(attributes);
            } else if (!common.isEmpty()) {
                common.entrySet().retainAll(new HashSet<>(attributes.entrySet()));
            }
            if (resourceId != null && ids.size() < MAX_IDS) {
                ids.add(resourceId);
            }
            count++;
        }

        /** Reports the attributes that all have in common, their number, and the first ids. */
        Report report(Cause cause) {
            Map<String, Object> attributes = new LinkedHashMap<>(common);
            attributes.put("count", count);
            if (!ids.isEmpty()) {
                attributes.put("ids", List.copyOf(ids));
            }
            return new Report(cause.name(), cause.reason(), null, attributes, true);
        }
    }
}
