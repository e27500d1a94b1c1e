package io.credential.benchmarks.console;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.benchmarks.host.HostDatabase;
import io.credential.benchmarks.host.HostProcess;
import io.credential.benchmarks.host.HostProcess.Variant;

/**
 * Counts the statements that a refresh takes, for each page that refreshes itself. The overview reads its parts in turn, so
 * that it is refreshed until each was read.
 */
final class ConsoleRefreshes {

    private static final double GOAL = 2;

    /** A little more than that of the script: what is five seconds old is read again. */
    private static final long PAUSE_MILLIS = 5_050;

    private static final int PARTS_OF_OVERVIEW = 6;

    /** One of each list; the first that the list links to. */
    private static final Map<String, Pattern> LISTED = Map.of(
            "deliveries", Pattern.compile("href=\"\\./(deliveries/[0-9a-f]{32})\""),
            "endpoints", Pattern.compile("href=\"\\./(endpoints/stored-[0-9]+)\""),
            "keys", Pattern.compile("href=\"\\./(keys/live/[^\"]+)\""),
            "event-types", Pattern.compile("href=\"\\./(event-types/[^\"]+)\""));

    private static final List<String> PAGES =
            List.of("", "deliveries", "endpoints", "dead", "event-types", "keys", "audit", "inbound");

    private ConsoleRefreshes() {}

    static void measure(HostDatabase database, Profile profile, Table table) throws IOException, InterruptedException {
        Map<String, Integer> statements = new LinkedHashMap<>();
        try (HostProcess host = new HostProcess(Variant.CONSOLE_COUNTED, database)) {
            ConsoleSession session = ConsoleSession.logIn(host);
            for (String page : pages(session)) {
                ConsoleSession.Answer shown = session.get(page);
                if (shown.html().contains(" data-live")) {
                    int refreshes = page.isEmpty() ? profile.choose(1, PARTS_OF_OVERVIEW, PARTS_OF_OVERVIEW) : 1;
                    statements.put(name(page), mostStatements(session, page, shown, refreshes));
                }
            }
        }
        Turns turns = new Turns();
        for (Map.Entry<String, Integer> page : statements.entrySet()) {
            String what = "statements, " + page.getKey();
            turns.add(what, page.getValue());
            table.valueAtMost("console refresh", turns, what, GOAL);
        }
    }

    private static List<String> pages(ConsoleSession session) throws IOException, InterruptedException {
        List<String> pages = new ArrayList<>();
        for (String page : PAGES) {
            pages.add(page);
            if (LISTED.containsKey(page)) {
                Matcher link = LISTED.get(page).matcher(session.get(page).html());
                if (link.find()) {
                    pages.add(link.group(1));
                }
            }
        }
        return pages;
    }

    private static String name(String page) {
        if (page.isEmpty()) {
            return "overview";
        }
        int slash = page.indexOf('/');
        return slash < 0 ? page : "one of " + page.substring(0, slash);
    }

    private static int mostStatements(ConsoleSession session, String page, ConsoleSession.Answer shown, int refreshes)
            throws IOException, InterruptedException {
        int most = 0;
        ConsoleSession.Answer last = shown;
        for (int i = 0; i < refreshes; i++) {
            if (page.isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
            last = session.get(page, last.tag());
            if (last.statements() < 0) {
                throw new IllegalStateException("The application did not count the statements of " + page);
            }
            most = Math.max(most, last.statements());
        }
        return most;
    }
}
