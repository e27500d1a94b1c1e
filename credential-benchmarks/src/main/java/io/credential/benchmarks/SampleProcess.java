package io.credential.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;

/**
 * The packaged sample application in a separate process and directory, with its default settings except for the
 * database, the port and internal destinations. The working directory must be the root of the project.
 */
public final class SampleProcess implements AutoCloseable {

    private final ApplicationProcess application;

    public SampleProcess(String jdbcUrl) throws IOException {
        this(jdbcUrl, List.of());
    }

    /** @param arguments further arguments of the application */
    public SampleProcess(String jdbcUrl, List<String> arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "--spring.datasource.url=" + jdbcUrl,
                "--credential.webhook.dispatcher.allow-internal-destinations=true"));
        all.addAll(arguments);
        this.application = new ApplicationProcess("sample", List.of("-jar", jar().toString()), all);
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

    /** Waits until the first start is complete, and returns a client with a key that the sample has issued. */
    public SampleClient client() throws IOException, InterruptedException {
        try (SampleClient admin = admin()) {
            return client(admin.issueKey("webhooks:admin"));
        }
    }

    /** Waits until the first start is complete, and returns a client with the admin key. */
    public SampleClient admin() throws IOException, InterruptedException {
        Path adminKey = application.directory().resolve("data/first-admin-key");
        application.await(() -> Files.readString(adminKey));
        SampleClient admin = client(Files.readString(adminKey).strip());
        awaitReady(admin);
        return admin;
    }

    public SampleClient client(String key) {
        return new SampleClient(application.origin(), key);
    }

    public void awaitReady(SampleClient client) throws IOException, InterruptedException {
        application.await(client::whoAmI);
    }

    /** Connects to the management interface of the process. */
    @SuppressWarnings("BanJNDI") // the URL comes from a process of our own
    public JMXConnector management() throws IOException, AttachNotSupportedException {
        VirtualMachine machine =
                VirtualMachine.attach(Long.toString(application.handle().pid()));
        try {
            return JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
        } finally {
            machine.detach();
        }
    }

    /** Ends the process as {@code kill -9} does. */
    public void kill() {
        application.kill();
    }

    /** Starts the process again in the same directory, with the same database and port. */
    public void restart() throws IOException {
        application.restart();
    }

    @Override
    public void close() throws IOException {
        application.close();
    }
}
