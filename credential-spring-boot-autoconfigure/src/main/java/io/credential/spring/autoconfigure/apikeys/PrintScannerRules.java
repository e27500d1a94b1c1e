package io.credential.spring.autoconfigure.apikeys;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;

import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.leak.ScannerRules;
import io.credential.spring.autoconfigure.properties.ApiKeysProperties.Registry;

/**
 * The command that prints the rules of secret scanners for the registries that an application configures. Reads its
 * configuration and starts nothing. Run it with {@code --help} for its arguments.
 *
 * @since 0.1.0
 */
public final class PrintScannerRules {

    private static final String LOGGING = "logback.configurationFile";
    private static final String REGISTRIES = "credential.api-keys.registries";

    private static final String HELP = """
            Prints rules with which a secret scanner finds the API keys of this application.

            Argument, one of:
              gitleaks      a configuration file, such as .gitleaks.toml
              trufflehog    a configuration file with custom detectors
              github        the fields of custom patterns for GitHub secret scanning
              --help        this text

            The registries are read from the configuration of the application, with the profiles in
            SPRING_PROFILES_ACTIVE.

            Exit code: 0 if rules were printed, otherwise 1.
            """;

    private static final Map<String, Function<ScannerRules, String>> FORMATS = Map.of(
            "gitleaks", ScannerRules::gitleaks,
            "trufflehog", ScannerRules::trufflehog,
            "github", ScannerRules::github);

    private final PrintStream out;
    private final PrintStream err;
    private final ConfigurableEnvironment environment;

    PrintScannerRules(PrintStream out, PrintStream err, ConfigurableEnvironment environment) {
        this.out = out;
        this.err = err;
        this.environment = environment;
    }

    /** Runs the command, and ends the process with the exit code 0 or 1. */
    public static void main(String[] arguments) {
        // Without Spring Boot's logging, Logback prints what libraries do at the level DEBUG.
        if (System.getProperty(LOGGING) == null) {
            System.setProperty(LOGGING, "io/credential/copy/logback.xml");
        }
        System.exit(new PrintScannerRules(System.out, System.err, new StandardEnvironment()).run(List.of(arguments)));
    }

    /** Returns the exit code. */
    int run(List<String> arguments) {
        if (arguments.contains("--help")) {
            out.print(HELP);
            return 0;
        }
        Function<ScannerRules, String> format = arguments.size() == 1 ? FORMATS.get(arguments.get(0)) : null;
        if (format == null) {
            return failed("The argument must be gitleaks, trufflehog or github."
                    + " Run the command with --help for an explanation.");
        }
        List<ApiKeyRegistryOptions> registries;
        try {
            registries = registries();
        } catch (InvalidConfigurationPropertyValueException e) {
            return failed(e.getMessage());
        } catch (RuntimeException e) {
            return failed("The configuration cannot be read: "
                    + NestedExceptionUtils.getMostSpecificCause(e).getMessage());
        }
        if (registries.isEmpty()) {
            return failed("No registry is configured with " + REGISTRIES + ".<namespace>. If only a profile configures"
                    + " them, set SPRING_PROFILES_ACTIVE.");
        }
        out.print(format.apply(new ScannerRules(registries)));
        return 0;
    }

    private int failed(@Nullable String message) {
        err.println(message);
        return 1;
    }

    private List<ApiKeyRegistryOptions> registries() {
        ConfigDataEnvironmentPostProcessor.applyTo(environment);
        return Binder.get(environment)
                .bind(REGISTRIES, Bindable.mapOf(String.class, Registry.class))
                .orElse(Map.of())
                .entrySet()
                .stream()
                .map(registry -> registry.getValue().options(registry.getKey()))
                .toList();
    }
}
