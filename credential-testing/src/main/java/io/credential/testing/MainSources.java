package io.credential.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The main sources of the modules that are published, for tests that compare pages under {@code docs} with them. */
public final class MainSources {

    private static final Set<String> UNPUBLISHED = Set.of("credential-testing", "credential-benchmarks", "sample-app");

    private MainSources() {}

    /** Every string literal that matches as a whole. */
    public static Set<String> literals(String regex) {
        Pattern literal = Pattern.compile("\"(" + regex + ")\"");
        Set<String> found = new TreeSet<>();
        files().map(MainSources::read)
                .flatMap(source -> literal.matcher(source).results())
                .map(MatchResult::group)
                .map(quoted -> quoted.substring(1, quoted.length() - 1))
                .forEach(found::add);
        return found;
    }

    /** All source files, without those that only describe a package. */
    public static Stream<Path> files() {
        return ModuleFolders.all("src/main/java").stream()
                .filter(folder -> !UNPUBLISHED.contains(folder.getName(1).toString()))
                .flatMap(MainSources::walk)
                .filter(file -> file.toString().endsWith(".java"))
                .filter(file -> !file.endsWith("package-info.java"));
    }

    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> walk(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            return files.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
