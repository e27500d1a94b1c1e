package io.credential.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

import org.springframework.util.FileSystemUtils;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;

/**
 * The packaged sample application in a separate process and directory, with its default settings except for the
 * database, the port and internal destinations. The working directory must be the root of the project.
 */
public final class SampleProcess implements AutoCloseable {

    private static final long POLL_MILLIS = 50;

    private final Path directory;
    private final String jdbcUrl;
    private final List<String> arguments;
    private final int port;
    private Process process;

    public SampleProcess(String jdbcUrl) throws IOException {
        this(jdbcUrl, List.of());
    }

    /** @param arguments further arguments of the application */
    public SampleProcess(String jdbcUrl, List<String> arguments) throws IOException {
        this.directory = Files.createTempDirectory("credential-benchmark");
        this.jdbcUrl = jdbcUrl;
        this.arguments = List.copyOf(arguments);
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = socket.getLocalPort();
        }
        this.process = launch();
        Runtime.getRuntime().addShutdownHook(new Thread(this::kill, "kill-sample"));
    }

    private Process launch() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                jar().toString(),
                "--server.port=" + port,
                "--spring.datasource.url=" + jdbcUrl,
                "--credential.webhook.dispatcher.allow-internal-destinations=true"));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
    }

    private static Path jar() throws IOException {
        try (Stream<Path> built = Files.list(Path.of("sample-app/target"))) {
            return built.filter(file -> file.getFileName().toString().matches("sample-app-.*\\.jar"))
                    .findFirst()
                    .orElseThrow(
                            () -> new IllegalStateException("No packaged jar in sample-app/target; run mvn package"))
                    .toAbsolutePath();
        }
    }

    private Path log() {
        return directory.resolve("sample.log");
    }

    /** Waits until the first start is complete, and returns a client with a key that the sample has issued. */
    public SampleClient client() throws IOException, InterruptedException {
        try (SampleClient admin = admin()) {
            return client(admin.issueKey("webhooks:admin"));
        }
    }

    /** Waits until the first start is complete, and returns a client with the admin key. */
    public SampleClient admin() throws IOException, InterruptedException {
        Path adminKey = directory.resolve("data/first-admin-key");
        await(() -> Files.readString(adminKey));
        SampleClient admin = client(Files.readString(adminKey).strip());
        awaitReady(admin);
        return admin;
    }

    public SampleClient client(String key) {
        return new SampleClient("http://127.0.0.1:" + port, key);
    }

    public void awaitReady(SampleClient client) throws IOException, InterruptedException {
        await(() -> {
            client.whoAmI();
            return true;
        });
    }

    private void await(Attempt attempt) throws IOException, InterruptedException {
        long end = System.nanoTime() + Load.LIMIT.toNanos();
        while (true) {
            try {
                attempt.run();
                return;
            } catch (IOException | UncheckedIOException e) {
                if (!process.isAlive() || System.nanoTime() > end) {
                    throw new IllegalStateException("The sample did not start:\n" + tail(), e);
                }
                Thread.sleep(POLL_MILLIS);
            }
        }
    }

    private String tail() throws IOException {
        List<String> lines = Files.readAllLines(log());
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    }

    /** Connects to the management interface of the process. */
    @SuppressWarnings("BanJNDI") // the URL comes from a process of our own
    public JMXConnector management() throws IOException, AttachNotSupportedException {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(process.pid()));
        try {
            return JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
        } finally {
            machine.detach();
        }
    }

    /** Ends the process as {@code kill -9} does. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Starts the process again in the same directory, with the same database and port. */
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

    private interface Attempt {

        Object run() throws IOException;
    }
}
