package io.credential.benchmarks.console;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.credential.benchmarks.Percentile;
import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;

/** Measures how long lists take, from the request until the page has arrived, one after the other. */
final class ConsoleLists {

    private static final double GOAL_MILLIS = 50;
    private static final int PERCENT = 95;
    private static final int PAGES_BEFORE_DEEP = 10;

    private static final Pattern NEXT = Pattern.compile("href=\"\\./(deliveries\\?[^\"]*cursor=[^\"]+)\"");

    private ConsoleLists() {}

    /** @param row names the database */
    static void measure(String row, ConsoleSession session, Profile profile, Table table) throws Exception {
        Map<String, String> lists = lists(session);
        int samples = profile.choose(2, 30, 100);
        Turns turns = Turns.take(profile.choose(1, 3, 3), round -> measure(session, lists, samples, round));
        for (String name : lists.keySet()) {
            table.value(row, turns, median(name));
            table.medianAtMost(row, turns, percentile(name), GOAL_MILLIS);
        }
    }

    private static Map<String, String> lists(ConsoleSession session) throws IOException, InterruptedException {
        Instant lastWeek = Instant.now().truncatedTo(ChronoUnit.SECONDS).minus(Duration.ofDays(7));
        String day = "from=" + lastWeek + "&before=" + lastWeek.plus(Duration.ofDays(1));
        Map<String, String> lists = new LinkedHashMap<>();
        lists.put("all", "deliveries");
        lists.put("all, page " + (PAGES_BEFORE_DEEP + 1), deepPage(session));
        // A cursor is the id of a delivery, which begins with its time.
        lists.put("all, 20 days back", "deliveries?cursor=" + idAt(Instant.now().minus(Duration.ofDays(20))));
        lists.put("endpoint", "deliveries?endpoint=stored-7");
        lists.put("event type", "deliveries?type=stored-7");
        lists.put("pending", "deliveries?status=pending");
        lists.put("in flight", "deliveries?status=in-flight");
        lists.put("dead", "deliveries?status=dead");
        lists.put("dead, endpoint", "deliveries?status=dead&endpoint=stored-21");
        lists.put("response 404", "deliveries?response=404");
        lists.put("audience", "deliveries?audience=tenant-7");
        lists.put("a day", "deliveries?" + day);
        lists.put("event type, a day", "deliveries?type=stored-7&" + day);
        lists.put("idempotency key", "deliveries?key=key-471");
        lists.put("attempts", "deliveries?attempts=9");
        lists.put("dead by endpoint", "dead");
        lists.put("endpoints", "endpoints");
        lists.put("keys", "keys");
        return lists;
    }

    private static String idAt(Instant time) {
        return "%012x%020d".formatted(time.toEpochMilli(), 0);
    }

    private static String deepPage(ConsoleSession session) throws IOException, InterruptedException {
        String page = "deliveries";
        for (int i = 0; i < PAGES_BEFORE_DEEP; i++) {
            Matcher next = NEXT.matcher(session.get(page).html());
            if (!next.find()) {
                throw new IllegalStateException("Too few deliveries are stored");
            }
            page = next.group(1).replace("&amp;", "&");
        }
        return page;
    }

    private static void measure(ConsoleSession session, Map<String, String> lists, int samples, Turns round)
            throws IOException, InterruptedException {
        Map<String, List<Double>> millis = new LinkedHashMap<>();
        for (int i = 0; i < samples; i++) {
            for (Map.Entry<String, String> list : lists.entrySet()) {
                long start = System.nanoTime();
                session.get(list.getValue());
                millis.computeIfAbsent(list.getKey(), key -> new ArrayList<>()).add((System.nanoTime() - start) / 1e6);
            }
        }
        millis.forEach((name, values) -> {
            double[] all = values.stream().mapToDouble(Double::doubleValue).toArray();
            round.add(median(name), Percentile.of(all, 50));
            round.add(percentile(name), Percentile.of(all, PERCENT));
        });
    }

    private static String median(String name) {
        return "p50 ms, " + name;
    }

    private static String percentile(String name) {
        return "p95 ms, " + name;
    }
}
