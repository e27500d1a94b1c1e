package io.credential.testing;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;

import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Prints which test classes took longest, from the reports of a build. Run by the Maven profile {@code test-times}. */
public final class TestTimes {

    private static final int SLOWEST = 30;
    private static final Pattern REPORT = Pattern.compile(".*/target/(surefire|failsafe)-reports/TEST-[^/]*\\.xml");
    private static final String ROW = "%8.1f %9.1f %6d  %s%n";

    private TestTimes() {}

    /** @param arguments the folder of the build */
    public static void main(String[] arguments) throws Exception {
        print(read(Path.of(arguments[0])), System.out);
    }

    /**
     * What a class took.
     *
     * @param seconds from its first action to its last
     * @param inCases of these, within its cases; the rest started what they share, such as an application
     */
    record ClassTime(String module, String name, double seconds, double inCases, int cases) {

        double startUp() {
            return Math.max(0, seconds - inCases);
        }
    }

    static List<ClassTime> read(Path folder) throws Exception {
        List<ClassTime> times = new ArrayList<>();
        for (Path report : reports(folder)) {
            Element suite = DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(report.toFile())
                    .getDocumentElement();
            NodeList cases = suite.getElementsByTagName("testcase");
            double inCases = 0;
            for (int i = 0; i < cases.getLength(); i++) {
                inCases += seconds((Element) cases.item(i));
            }
            Path module = folder.relativize(report.getParent().getParent().getParent());
            times.add(new ClassTime(
                    module.toString(), suite.getAttribute("name"), seconds(suite), inCases, cases.getLength()));
        }
        return times;
    }

    private static List<Path> reports(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> REPORT.matcher(file.toUri().getPath()).matches())
                    .toList();
        }
    }

    private static double seconds(Element timed) {
        return Double.parseDouble(timed.getAttribute("time").replace(",", ""));
    }

    static void print(List<ClassTime> times, PrintStream out) {
        out.printf(" seconds  start-up  cases  class%n");
        times.stream()
                .sorted(Comparator.comparingDouble(ClassTime::seconds).reversed())
                .limit(SLOWEST)
                .forEach(time -> out.printf(ROW, time.seconds(), time.startUp(), time.cases(), time.name()));
        out.printf("%n seconds  start-up  cases  module%n");
        Map<String, List<ClassTime>> modules = new TreeMap<>();
        times.forEach(time -> modules.computeIfAbsent(time.module(), module -> new ArrayList<>())
                .add(time));
        modules.forEach((module, ofModule) -> printSum(ofModule, module, out));
        printSum(times, "all", out);
    }

    private static void printSum(List<ClassTime> times, String name, PrintStream out) {
        out.printf(
                ROW,
                times.stream().mapToDouble(ClassTime::seconds).sum(),
                times.stream().mapToDouble(ClassTime::startUp).sum(),
                times.stream().mapToInt(ClassTime::cases).sum(),
                name);
    }
}
