package io.credential.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A separate JVM that runs a main class of the tests, or another program. It ends when its standard input does, so that
 * none outlives the tests, whatever becomes of them.
 */
public final class ChildProcess implements AutoCloseable {

    private final Process process;
    private final List<String> output = new CopyOnWriteArrayList<>();
    private final Thread reader;

    private ChildProcess(Process process) {
        this.process = process;
        this.reader = new Thread(this::read, "output-of-" + process.pid());
        this.reader.setDaemon(true);
        this.reader.start();
    }

    /** @param megabytes the size of its heap */
    public static ChildProcess start(int megabytes, Class<?> main, String... arguments) {
        return start(Map.of(), megabytes, main, arguments);
    }

    /**
     * @param environment variables in addition to those of this process
     * @param megabytes the size of its heap
     */
    public static ChildProcess start(
            Map<String, String> environment, int megabytes, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx" + megabytes + "m",
                "-cp",
                classPath(),
                main.getName()));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder process = new ProcessBuilder(command);
        process.environment().putAll(environment);
        return start(process);
    }

    /** Starts another program. */
    public static ChildProcess start(ProcessBuilder process) {
        try {
            return new ChildProcess(process.redirectErrorStream(true).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until as many lines of the output are of this kind. */
    public ChildProcess awaitLines(int count, Predicate<String> kind) {
        Patience.until(() -> !reader.isAlive() || output.stream().filter(kind).count() >= count);
        assertThat(output.stream().filter(kind).count()).as(text()).isGreaterThanOrEqualTo(count);
        return this;
    }

    public List<String> lines(Predicate<String> kind) {
        return output.stream().filter(kind).toList();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL: nothing in the process gets to know. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** SIGSTOP: nothing in the process runs until {@link #resume()}. */
    public void pause() {
        signal("STOP");
    }

    public void resume() {
        signal("CONT");
    }

    /** Waits until the process has ended by itself, and returns its exit code. */
    public int awaitEnd() {
        int exitValue = Patience.exitValue(process);
        Patience.join(reader);
        return exitValue;
    }

    public String text() {
        return String.join("\n", output);
    }

    /** Asks the process to end, waits until it has, and returns its exit code. */
    public int stop() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return awaitEnd();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start();
            assertThat(Patience.exitValue(kill)).isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(output::add);
        } catch (IOException | UncheckedIOException e) {
            output.add("The output ends here: " + e);
        }
    }

    /** Surefire runs the tests from a jar that only names the class path. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
