package io.credential.spring.autoconfigure.apikeys;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;

import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ImportOptions;
import io.credential.apikey.ImportResult;
import io.credential.internal.cluster.Leadership;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.audit.AuditAutoConfiguration;
import io.credential.spring.autoconfigure.audit.internal.LoggingAuditSink;
import io.credential.spring.autoconfigure.cluster.ClusterAutoConfiguration;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.database.LocalSqliteAutoConfiguration;
import io.credential.spring.autoconfigure.internal.command.CommandException;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.spring.autoconfigure.keyring.KeyringAutoConfiguration;

/**
 * The command that imports API keys of another system from a file. Uses the configuration of the application, and starts
 * nothing else of it. Run it with {@code --help} for its arguments.
 *
 * @since 0.1.0
 */
public final class ImportApiKeys {

    private static final String HELP = """
            Imports API keys of another system as hashes. Their tokens verify without being issued again.

            Arguments:
              --file <file>           the keys, one JSON object a line
              --registry <namespace>  the registry; may be left out if there is only one
              --dry-run               imports nothing, and says what would be imported
              --help                  prints this text

            Members of an object: algorithm (sha256, sha512, hmac-sha256, bcrypt or argon2id), hash and ownerId;
            optional: lookupId, name, scopes, metadata, createdAt, expiresAt, disabledAt, lastUsedAt, allowedNetworks,
            rateLimit with limit and windowSeconds, and quota with limit, period (day or month) and zone.

            The database, the keyring and the registry are those of the application's configuration, with the profiles in
            SPRING_PROFILES_ACTIVE. In cluster mode, stop the application first: only the leader imports. If the command is
            interrupted, repeat it: keys that are present are left as they are.

            Exit code: 0 if every key was imported or present, otherwise 1.
            """;

    private static final String NOTHING_IMPORTED = "Nothing was imported.";
    private static final int MOST_BAD_LINES = 20;
    private static final long PROGRESS_STEP = 50_000;
    private static final Duration ELECTION = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(200);

    private final PrintStream out;
    private final PrintStream err;
    private final Map<String, Object> properties;

    /** @param properties defaults, which the configuration of the application overrides */
    ImportApiKeys(PrintStream out, PrintStream err, Map<String, Object> properties) {
        this.out = out;
        this.err = err;
        this.properties = properties;
    }

    /** Runs the command, and ends the process with the exit code 0 or 1. */
    public static void main(String[] arguments) {
        System.exit(new ImportApiKeys(System.out, System.err, Map.of()).run(List.of(arguments)));
    }

    /** Returns the exit code. */
    int run(List<String> arguments) {
        if (arguments.contains("--help")) {
            out.print(HELP);
            return 0;
        }
        try {
            Arguments parsed = Arguments.parse(arguments);
            return report(run(parsed), parsed.dryRun ? "would be imported" : "imported");
        } catch (CommandException | ApiKeyException e) {
            err.println(e.getMessage());
            return 1;
        } catch (IOException | UncheckedIOException e) {
            err.println("The file cannot be read: " + e.getMessage());
            return 1;
        }
    }

    private ImportResult run(Arguments arguments) throws CommandException, IOException {
        requireReadable(arguments.file);
        try (ConfigurableApplicationContext context = start()) {
            ApiKeyRegistry registry = registry(context.getBean(ApiKeyRegistries.class), arguments.registry);
            ImportOptions options = ImportOptions.defaults();
            ImportResult checked = check(registry, arguments.file, options.asDryRun());
            if (arguments.dryRun) {
                return checked;
            }
            awaitLeadership(context.getBean(Leadership.class));
            return importKeys(registry, arguments.file, options.onProgress(this::progress));
        }
    }

    private static ImportResult check(ApiKeyRegistry registry, Path file, ImportOptions options)
            throws CommandException, IOException {
        try {
            return importKeys(registry, file, options);
        } catch (ApiKeyException e) {
            throw new CommandException(e.getMessage() + "\n" + NOTHING_IMPORTED);
        }
    }

    private static ImportResult importKeys(ApiKeyRegistry registry, Path file, ImportOptions options)
            throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            return registry.importKeys(lines.lines().map(ImportLine::parse).iterator(), options);
        }
    }

    /** Reads the whole file before anything else, so that all malformed lines are found first. */
    private static void requireReadable(Path file) throws CommandException, IOException {
        List<String> mistakes = new ArrayList<>();
        long number = 0;
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            for (String line = lines.readLine();
                    line != null && mistakes.size() < MOST_BAD_LINES;
                    line = lines.readLine()) {
                number++;
                try {
                    ImportLine.parse(line);
                } catch (IllegalArgumentException | ApiKeyException e) {
                    mistakes.add("Line " + number + ": " + e.getMessage());
                }
            }
        }
        if (!mistakes.isEmpty()) {
            throw new CommandException(
                    String.join("\n", mistakes) + "\n" + NOTHING_IMPORTED + " Correct the file, and repeat.");
        }
    }

    private ConfigurableApplicationContext start() throws CommandException {
        try {
            return new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .bannerMode(Banner.Mode.OFF)
                    .logStartupInfo(false)
                    .properties(Map.of(
                            "logging.level.root", "warn", "logging.level." + LoggingAuditSink.LOGGER_NAME, "info"))
                    .properties(properties)
                    .run();
        } catch (RuntimeException e) {
            throw new CommandException("The configuration of the application cannot be used: "
                    + NestedExceptionUtils.getMostSpecificCause(e).getMessage());
        }
    }

    private static ApiKeyRegistry registry(ApiKeyRegistries registries, @Nullable String namespace)
            throws CommandException {
        if (namespace != null) {
            return registries.get(namespace);
        }
        Collection<ApiKeyRegistry> all = registries.all();
        if (all.size() != 1) {
            throw new CommandException("Name one of the registries with --registry: "
                    + String.join(
                            ", ", all.stream().map(ApiKeyRegistry::namespace).toList()));
        }
        return all.iterator().next();
    }

    private static void awaitLeadership(Leadership leadership) throws CommandException {
        long deadline = System.nanoTime() + ELECTION.toNanos();
        while (!leadership.isLeader()) {
            if (System.nanoTime() > deadline) {
                throw new CommandException("Another node leads the cluster. Stop the application, then repeat; or call"
                        + " ApiKeyRegistry.importKeys(..) on the leader.");
            }
            try {
                Thread.sleep(POLL.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CommandException("Interrupted; nothing was imported.");
            }
        }
    }

    private void progress(ImportResult result) {
        if (result.examined() % PROGRESS_STEP == 0) {
            err.println(summary(result, "imported"));
        }
    }

    private int report(ImportResult result, String imported) {
        result.refusals().forEach(refusal -> err.println("Line " + refusal.position() + ": " + refusal.reason()));
        out.println(summary(result, imported));
        return result.refused() == 0 ? 0 : 1;
    }

    private static String summary(ImportResult result, String imported) {
        return result.examined() + " keys examined: " + result.imported() + " " + imported + ", " + result.present()
                + " present, " + result.refused() + " refused";
    }

    /** What of an application the command needs. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        DataSourceAutoConfiguration.class,
        DataSourceTransactionManagerAutoConfiguration.class,
        CredentialAutoConfiguration.class,
        LocalSqliteAutoConfiguration.class,
        CredentialDatabaseAutoConfiguration.class,
        KeyringAutoConfiguration.class,
        ClusterAutoConfiguration.class,
        AuditAutoConfiguration.class,
        ApiKeyRegistriesAutoConfiguration.class
    })
    static class Application {

        /** The jobs of the leader belong to the application: it raises their events, and its caches learn of their changes. */
        @Bean
        SmartInitializingSingleton noJobs(CredentialSchedule schedule) {
            return schedule::disable;
        }
    }

    private record Arguments(Path file, @Nullable String registry, boolean dryRun) {

        static Arguments parse(List<String> arguments) throws CommandException {
            Path file = null;
            String registry = null;
            boolean dryRun = false;
            Iterator<String> rest = arguments.iterator();
            while (rest.hasNext()) {
                String name = rest.next();
                switch (name) {
                    case "--file" -> file = Path.of(value(name, rest));
                    case "--registry" -> registry = value(name, rest);
                    case "--dry-run" -> dryRun = true;
                    default ->
                        throw new CommandException("Unknown argument " + name + ". Run the command with --help.");
                }
            }
            if (file == null) {
                throw new CommandException("--file is required. Run the command with --help.");
            }
            return new Arguments(file, registry, dryRun);
        }

        private static String value(String name, Iterator<String> rest) throws CommandException {
            if (!rest.hasNext()) {
                throw new CommandException(name + " needs a value. Run the command with --help.");
            }
            return rest.next();
        }
    }
}
