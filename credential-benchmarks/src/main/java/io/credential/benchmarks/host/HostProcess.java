package io.credential.benchmarks.host;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.credential.benchmarks.ApplicationProcess;
import io.credential.benchmarks.SampleClient;

/**
 * The host application in a separate process with its default settings, in one of the variants. The working
 * directory must be the root of the project.
 */
public final class HostProcess implements AutoCloseable {

    /** Of the user {@code operator}, who may do everything in the console. */
    public static final String OPERATOR_PASSWORD = "a-password-of-the-benchmark";

    private static final String MAIN = "io.credential.host.HostApplication";

    private final ApplicationProcess application;
    private final HostDatabase database;
    private final Variant variant;
    private final double startSeconds;

    /** Starts it and waits until it accepts requests. */
    public HostProcess(Variant variant, HostDatabase database) throws IOException, InterruptedException {
        this.variant = variant;
        this.database = database;
        long start = System.nanoTime();
        this.application = new ApplicationProcess(
                "host application",
                List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath(), MAIN),
                arguments(variant, database));
        application.awaitPort();
        this.startSeconds = (System.nanoTime() - start) / 1e9;
    }

    private static List<String> arguments(Variant variant, HostDatabase database) {
        List<String> arguments = new ArrayList<>(List.of(
                database.argument(variant.hasStarter()),
                "--credential.keyring.location=file:" + database.keyringFile(),
                "--credential.api-keys.cache.enabled=" + (variant == Variant.CACHING)));
        if (variant != Variant.KEYS) {
            arguments.add("--credential.webhook.dispatcher.allow-internal-destinations=true");
        }
        arguments.addAll(variant.arguments());
        return arguments;
    }

    private String classPath() throws IOException {
        return Stream.of(
                        Stream.of(Path.of("credential-benchmarks/host-app/target/classes")),
                        jars(variant).stream(),
                        database.driver().stream())
                .flatMap(part -> part)
                .map(part -> part.toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** The libraries of the application. */
    public static List<Path> jars(Variant variant) throws IOException {
        Path file = Path.of("credential-benchmarks/host-app/target", variant.classPath + ".classpath");
        if (!Files.exists(file)) {
            throw new IllegalStateException("No file " + file + "; run mvn package");
        }
        return Stream.of(Files.readString(file).strip().split(File.pathSeparator, -1))
                .map(Path::of)
                .toList();
    }

    /** From the start of the process until it accepts requests. */
    public double startSeconds() {
        return startSeconds;
    }

    public Duration processorTime() {
        return application.handle().info().totalCpuDuration().orElseThrow();
    }

    long logBytes() throws IOException {
        return Files.size(application.log());
    }

    /** Where it is called, without a slash at the end. */
    public String origin() {
        return application.origin();
    }

    /** Returns a client with a key that has a scope; without the starter, the key is ignored. */
    public SampleClient client(String scope) {
        return new SampleClient(application.origin(), variant.hasStarter() ? database.issueKey(scope) : "none");
    }

    SampleClient clientWithoutKey() {
        return new SampleClient(application.origin(), null);
    }

    @Override
    public void close() throws IOException {
        application.close();
    }

    /** What the application has. */
    public enum Variant {
        WITHOUT("without the starter", "without-starter"),
        SECURITY("with Spring Security alone", "with-security"),
        KEYS("with the starter for API keys", "with-keys"),
        WITH("with the starter", "with-starter"),
        CACHING("with the starter and its cache", "with-starter"),
        HOOKS("with the starter and an incoming webhook", "with-starter"),
        CONSOLE_OFF("with the console disabled", "with-console"),
        CONSOLE("with the console", "with-console"),

        /** Shows all that the console can show, and says how many statements each page took. */
        CONSOLE_COUNTED("with every page of the console", "with-console");

        private final String text;
        private final String classPath;

        Variant(String text, String classPath) {
            this.text = text;
            this.classPath = classPath;
        }

        private List<String> arguments() {
            return switch (this) {
                case HOOKS -> hooks();
                case CONSOLE -> console();
                case CONSOLE_COUNTED -> countedConsole();
                default -> List.of();
            };
        }

        private static List<String> hooks() {
            return List.of(
                    "--credential.webhook.inbound.github.paths=" + WebhookVerifyBenchmark.PATH,
                    "--credential.webhook.inbound.github.scheme=github",
                    "--credential.webhook.inbound.github.keys.v1=" + WebhookVerifyBenchmark.SECRET);
        }

        private static List<String> console() {
            return List.of("--credential.console.enabled=true", "--host.operator-password=" + OPERATOR_PASSWORD);
        }

        private static List<String> countedConsole() {
            return Stream.of(
                            console(),
                            hooks(),
                            List.of("--credential.audit.jdbc.enabled=true", "--host.count-statements=true"))
                    .flatMap(List::stream)
                    .toList();
        }

        boolean hasStarter() {
            return this != WITHOUT && this != SECURITY;
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
