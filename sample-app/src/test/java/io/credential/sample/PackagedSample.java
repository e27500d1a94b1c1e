package io.credential.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/** The packaged jar, running in its own process in a directory of the test. */
final class PackagedSample implements AutoCloseable {

    /** None runs for so long that better code pays off. */
    private static final String COMPILE_QUICKLY = "-XX:TieredStopAtLevel=1";

    private static final String ANY_PORT = "--server.port=0";
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");
    private static final Pattern STARTED = Pattern.compile("Started SampleApplication in ");

    private final Process process;
    private final List<String> output = new CopyOnWriteArrayList<>();
    private final Thread reader;

    private PackagedSample(Process process) {
        this.process = process;
        this.reader = new Thread(this::read, "output-of-sample");
        this.reader.setDaemon(true);
        this.reader.start();
    }

    static PackagedSample startIn(Path directory) {
        return startIn(directory, Map.of());
    }

    static PackagedSample startIn(Path directory, Map<String, String> environment) {
        return java(directory, environment, "-jar", jar(), ANY_PORT);
    }

    /** Starts it with the code that was generated ahead of time. */
    static PackagedSample startProcessedIn(Path directory, Map<String, String> environment) {
        return java(directory, environment, "-Dspring.aot.enabled=true", "-jar", jar(), ANY_PORT);
    }

    /** Starts it with more files on the class path. */
    static PackagedSample startIn(Path directory, Map<String, String> environment, Path added) {
        return java(
                directory,
                environment,
                "-Dloader.path=" + added.toAbsolutePath(),
                "-cp",
                jar(),
                "org.springframework.boot.loader.launch.PropertiesLauncher",
                ANY_PORT);
    }

    /** Runs a command of a page, on the jar in place of {@code app.jar}. */
    static PackagedSample launchIn(Path directory, Map<String, String> environment, String command) {
        String[] words =
                command.replace("\\\n", " ").replace("app.jar", jar()).strip().split("\\s+", -1);
        assertThat(words[0]).isEqualTo("java");
        return java(directory, environment, Arrays.copyOfRange(words, 1, words.length));
    }

    private static PackagedSample java(Path directory, Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), COMPILE_QUICKLY));
        command.addAll(List.of(arguments));
        ProcessBuilder process =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        process.environment().putAll(environment);
        try {
            return new PackagedSample(process.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String jar() {
        try (Stream<Path> built = Files.list(Path.of("target"))) {
            return built.filter(file -> file.getFileName().toString().matches("sample-app-.*\\.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("No packaged jar in target"))
                    .toAbsolutePath()
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    PackagedSample awaitStarted() {
        Patience.until(() -> !reader.isAlive() || find(STARTED).isPresent());
        assertThat(find(STARTED)).as(text()).isPresent();
        return this;
    }

    /** Waits for a line of the output in which the pattern is found. */
    Matcher await(Pattern pattern) {
        Patience.until(() -> find(pattern).isPresent());
        return find(pattern).orElseThrow();
    }

    /** Waits until the process has ended by itself, and returns its exit code. */
    int awaitEnd() {
        int exitValue = Patience.exitValue(process);
        Patience.join(reader);
        return exitValue;
    }

    Api api() {
        return new Api(Integer.parseInt(find(PORT).orElseThrow().group(1)));
    }

    /** The first line of the output in which the pattern is found. */
    Optional<Matcher> find(Pattern pattern) {
        return output.stream().map(pattern::matcher).filter(Matcher::find).findFirst();
    }

    String text() {
        return String.join("\n", output);
    }

    /** Asks the process to end, and returns when all its output was read; does nothing when it has ended. */
    void stop() {
        process.toHandle().destroy(); // process.destroy() would close the output while it is read
        awaitEnd();
    }

    @Override
    public void close() {
        stop();
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(output::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
