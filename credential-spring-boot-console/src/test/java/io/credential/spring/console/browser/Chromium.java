package io.credential.spring.console.browser;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The browser of the machine and its driver.
 *
 * @param browser the program of Chromium or Chrome
 * @param driver the program that steers it
 */
record Chromium(Path browser, Path driver) {

    private static final List<String> BROWSERS =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

    private static final List<Path> USUAL_FOLDERS = List.of(
            Path.of("/usr/bin"),
            Path.of("/usr/local/bin"),
            Path.of("/usr/lib/chromium"),
            Path.of("/opt/google/chrome"));

    /** Returns them if both are installed. */
    static Optional<Chromium> installed() {
        Optional<Path> driver = program(List.of("chromedriver"));
        return driver.isEmpty() ? Optional.empty() : program(BROWSERS).map(found -> new Chromium(found, driver.get()));
    }

    private static Optional<Path> program(List<String> names) {
        return names.stream()
                .flatMap(name -> folders().map(folder -> folder.resolve(name)))
                .filter(Files::isExecutable)
                .filter(Files::isRegularFile)
                .findFirst();
    }

    private static Stream<Path> folders() {
        @Nullable String path = System.getenv("PATH");
        Stream<Path> listed = path == null
                ? Stream.empty()
                : Pattern.compile(Pattern.quote(File.pathSeparator))
                        .splitAsStream(path)
                        .filter(folder -> !folder.isBlank())
                        .map(Path::of);
        return Stream.concat(listed, USUAL_FOLDERS.stream());
    }
}
