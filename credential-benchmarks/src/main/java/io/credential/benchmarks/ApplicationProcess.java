package io.credential.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.springframework.util.FileSystemUtils;

/** A Spring Boot application in a process and a directory of its own. Not thread-safe, except for {@link #kill()}. */
public final class ApplicationProcess implements AutoCloseable {

    private static final long POLL_MILLIS = 5;

    private final String name;
    private final Path directory;
    private final List<String> command;
    private final int port;
    private Process process;

    /**
     * Starts it.
     *
     * @param jvmArguments class path and main class, or jar
     * @param arguments of the application, in addition to the port
     */
    public ApplicationProcess(String name, List<String> jvmArguments, List<String> arguments) throws IOException {
        this.name = name;
        this.directory = Files.createTempDirectory("credential-benchmark");
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = socket.getLocalPort();
        }
        this.command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JvmOptions.inherited());
        command.addAll(jvmArguments);
        command.add("--server.port=" + port);
        command.addAll(arguments);
        this.process = launch();
        Runtime.getRuntime().addShutdownHook(new Thread(this::kill, "kill-" + name));
    }

    private Process launch() throws IOException {
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
    }

    public String origin() {
        return "http://127.0.0.1:" + port;
    }

    /** The working directory. */
    public Path directory() {
        return directory;
    }

    /** What the application has printed. */
    public Path log() {
        return directory.resolve("application.log");
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Waits until it accepts connections. */
    public void awaitPort() throws IOException, InterruptedException {
        await(() -> new Socket(InetAddress.getLoopbackAddress(), port).close());
    }

    /** Tries until an attempt succeeds, or the process has ended. */
    public void await(Attempt attempt) throws IOException, InterruptedException {
        long end = System.nanoTime() + Load.LIMIT.toNanos();
        while (true) {
            try {
                attempt.run();
                return;
            } catch (IOException | UncheckedIOException e) {
                if (!process.isAlive() || System.nanoTime() > end) {
                    throw new IllegalStateException("The " + name + " did not start:\n" + tail(), e);
                }
                Thread.sleep(POLL_MILLIS);
            }
        }
    }

    private String tail() throws IOException {
        List<String> lines = Files.readAllLines(log());
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    }

    /** Ends the process as {@code kill -9} does. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Starts the process again in the same directory, with the same arguments and port. */
    public void restart() throws IOException {
        process = launch();
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        process.onExit().completeOnTimeout(process, 30, TimeUnit.SECONDS).join();
        kill();
        FileSystemUtils.deleteRecursively(directory);
    }

    /** Does something that is possible only after the start. */
    @FunctionalInterface
    public interface Attempt {

        /** @throws IOException if it is too early; so is an {@link UncheckedIOException} */
        void run() throws IOException;
    }
}
