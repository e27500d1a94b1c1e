package io.credential.benchmarks.node;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * A node in its own JVM, behind its own proxy to the database. Each process has its own name; a restarted one gets a
 * new name. Thread-safe.
 */
public final class NodeProcess implements Closeable {

    private static final int HEAP_MEGABYTES = 128;

    /** How long a node may take to end by itself before it is killed. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final String node;
    private final DatabaseProxy proxy;
    private final Class<?> program;
    private final List<String> arguments;
    private final Path log;
    private @Nullable Running running;
    private int starts;
    private boolean closed;

    /**
     * @param program prints the port where it answers once it works, and ends when its standard input does. Its arguments
     *     are the name of the process, the URL of the database, and those given here.
     * @param log gets what the processes log
     */
    public NodeProcess(String node, DatabaseProxy proxy, Class<?> program, List<String> arguments, Path log) {
        this.node = node;
        this.proxy = proxy;
        this.program = program;
        this.arguments = List.copyOf(arguments);
        this.log = log;
    }

    /**
     * A process that answers.
     *
     * @param name of the process
     * @param port where it answers
     */
    public record Running(String name, int port, Process process) {}

    public DatabaseProxy proxy() {
        return proxy;
    }

    /** Returns the process; null between a kill and the next start. */
    public synchronized @Nullable Running running() {
        return running;
    }

    /** Starts a process and waits until it works. */
    public void start() throws IOException {
        String name;
        Process process;
        synchronized (this) {
            if (closed) {
                throw new IOException("The cluster is closed");
            }
            starts++;
            name = node + "." + starts;
            process = launch(name);
            running = new Running(name, 0, process); // Known before it answers, so that close() ends it.
        }
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        String port = output.readLine();
        if (port == null) {
            throw new IOException("Node " + name + " did not start; see " + log);
        }
        synchronized (this) {
            running = new Running(name, Integer.parseInt(port), process);
        }
    }

    private Process launch(String name) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx" + HEAP_MEGABYTES + "m",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                name,
                proxy.jdbcUrl()));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** Ends the process as {@code kill -9} does. */
    public void kill() {
        Running killed = running();
        if (killed != null) {
            killed.process().destroyForcibly().onExit().join();
        }
        synchronized (this) {
            running = null;
        }
    }

    /** Stops the process and waits until it runs again. A shell resumes it, even if the harness is killed. */
    public void pause(Duration pause) throws IOException, InterruptedException {
        Running paused = running();
        if (paused == null) {
            throw new IllegalStateException("Node " + node + " does not run");
        }
        int exitCode = new ProcessBuilder(
                        "sh",
                        "-c",
                        "kill -STOP \"$0\" && sleep \"$1\"; kill -CONT \"$0\"",
                        Long.toString(paused.process().pid()),
                        Long.toString(pause.toSeconds()))
                .inheritIO()
                .start()
                .waitFor();
        if (exitCode != 0) {
            throw new IOException("Node " + paused.name() + " could not be paused");
        }
    }

    /** Lets the process end, or kills it. */
    @Override
    public void close() throws IOException {
        Running last;
        synchronized (this) {
            closed = true;
            last = running;
        }
        if (last != null) {
            proxy.resume();
            last.process().getOutputStream().close();
            last.process()
                    .onExit()
                    .completeOnTimeout(last.process(), GRACE.toSeconds(), TimeUnit.SECONDS)
                    .join();
        }
        closeForcibly();
    }

    /** Kills the process at once. */
    public void closeForcibly() {
        synchronized (this) {
            closed = true;
        }
        kill();
        proxy.close();
    }
}
