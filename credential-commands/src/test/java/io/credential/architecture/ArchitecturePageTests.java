package io.credential.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.credential.testing.MainSources;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code docs/architecture.md} shows the code as it is. */
class ArchitecturePageTests {

    /** What creates threads is given their name. */
    private static final Pattern THREADS = Pattern.compile(
            "\\b(OwnedSchedule|DaemonThreads|AuditThread|DeadlineTimer|RequestedWork|ThreadPoolTaskScheduler)\\b");

    private static final Pattern THREAD_NAME = Pattern.compile("\"(credential-[a-z-]+)\"");

    private static final Pattern ARROW = Pattern.compile("^ *(\\w+ --> \\w+)$", Pattern.MULTILINE);

    private static final Pattern CLASS_NAME = Pattern.compile("`([A-Z]\\w+)`");

    /** A row whose second column is the package of the class that its third begins with. */
    private static final Pattern ROW = Pattern.compile("\\| `(io\\.credential[.a-z]*)` \\| `(\\w+)`");

    private static final Pattern CLASS_IN_PACKAGE = Pattern.compile("`(\\w+)` in `(io\\.credential[.a-z]*)`");

    private static final Pattern THREAD_ROW =
            Pattern.compile("^\\| `(credential-[a-z-]+[a-z])(?:-\\*)?`", Pattern.MULTILINE);

    private final String page;

    ArchitecturePageTests() throws IOException {
        this.page = Files.readString(Path.of("../docs/architecture.md"));
    }

    @Test
    void dispatcherDiagramThenShowsEveryArrowAndNoOther() {
        String dispatcher = page.substring(page.indexOf("## The dispatcher"));

        assertThat(found(ARROW, dispatcher)).isEqualTo(new DeliveryRooms("io.credential").arrows(PublishedClasses.ALL));
    }

    @Test
    void threadsThenAreInTheTable() {
        String table = page.substring(page.indexOf("## Threads"));
        Set<String> names = MainSources.files()
                .map(MainSources::read)
                .filter(source -> THREADS.matcher(source).find())
                .flatMap(source -> THREAD_NAME.matcher(source).results())
                .map(match -> match.group(1).replaceAll("-$", ""))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(names).hasSizeGreaterThan(20).isEqualTo(found(THREAD_ROW, table));
    }

    @Test
    void pageThenNamesOnlyClassesThatExist() {
        Set<String> existing = MainSources.files()
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .collect(Collectors.toSet());

        assertThat(found(CLASS_NAME, page)).hasSizeGreaterThan(10).isSubsetOf(existing);
    }

    @Test
    void pageThenNamesPackagesThatHoldTheClasses() {
        Set<String> existing = MainSources.files()
                .map(file -> file.toString()
                        .replaceAll(".*/src/main/java/|\\.java$", "")
                        .replace('/', '.'))
                .collect(Collectors.toSet());
        Stream<String> rows = ROW.matcher(page).results().map(match -> match.group(1) + "." + match.group(2));
        Stream<String> others =
                CLASS_IN_PACKAGE.matcher(page).results().map(match -> match.group(2) + "." + match.group(1));

        assertThat(Stream.concat(rows, others)).hasSizeGreaterThan(20).allMatch(existing::contains);
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
