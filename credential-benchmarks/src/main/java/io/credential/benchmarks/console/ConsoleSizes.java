package io.credential.benchmarks.console;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;

import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.benchmarks.host.HostProcess;
import io.credential.benchmarks.host.HostProcess.Variant;

/** Measures how much a browser gets, and how large the jar is. All are kilobytes of 1000 bytes. */
final class ConsoleSizes {

    private static final double HTML_GOAL = 30;
    private static final double STYLE_GOAL = 12;
    private static final double SCRIPT_GOAL = 6;
    private static final double JAR_GOAL = 300;
    private static final double REQUESTS_GOAL = 3;
    private static final double BYTES_PER_KILOBYTE = 1e3;

    private static final String ROW = "console";
    private static final String JAR = "credential-spring-boot-console-";

    private static final List<String> LISTS =
            List.of("deliveries", "deliveries?status=dead", "endpoints", "dead", "keys");

    private ConsoleSizes() {}

    static void measure(ConsoleSession session, Table table) throws IOException, InterruptedException {
        Turns turns = new Turns();
        String html = "KB of HTML, gzip, largest list page";
        String style = "KB of CSS, gzip";
        String script = "KB of script, gzip";
        String requests = "requests for a page";
        String jar = "KB of jar";
        double largest = 0;
        for (String page : LISTS) {
            largest = Math.max(largest, zippedKilobytes(session.get(page).body()));
        }
        turns.add(html, largest);
        List<String> loaded = LoadedFiles.ofPage(session.get("").html());
        ConsoleSession.Answer css = session.get(ending(loaded, ".css"));
        turns.add(style, zippedKilobytes(css.body()));
        turns.add(script, zippedKilobytes(session.get(ending(loaded, ".js")).body()));
        turns.add(requests, 1 + loaded.size() + LoadedFiles.ofStyle(css.html()));
        turns.add(jar, Files.size(jar()) / BYTES_PER_KILOBYTE);
        table.valueAtMost(ROW, turns, html, HTML_GOAL);
        table.valueAtMost(ROW, turns, style, STYLE_GOAL);
        table.valueAtMost(ROW, turns, script, SCRIPT_GOAL);
        table.valueAtMost(ROW, turns, requests, REQUESTS_GOAL);
        table.valueAtMost(ROW, turns, jar, JAR_GOAL);
    }

    private static String ending(List<String> loaded, String end) {
        return loaded.stream()
                .filter(path -> path.endsWith(end))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("The page loads no " + end + ", only " + loaded));
    }

    private static double zippedKilobytes(byte[] content) throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(zipped)) {
            zip.write(content);
        }
        return zipped.size() / BYTES_PER_KILOBYTE;
    }

    /** The jar with which the application runs is the one that is published. */
    private static Path jar() throws IOException {
        return HostProcess.jars(Variant.CONSOLE).stream()
                .filter(path -> path.getFileName().toString().startsWith(JAR))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("The application has no " + JAR + "*.jar"));
    }
}
