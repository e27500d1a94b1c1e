package io.credential.spring.autoconfigure.apikeys;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;

import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.leak.ScannerRules;
import io.credential.spring.autoconfigure.internal.command.CommandException;
import io.credential.spring.autoconfigure.internal.command.PrintCommand;
import io.credential.spring.autoconfigure.properties.ApiKeyRegistryProperties;

/**
 * The command that prints the rules of secret scanners for the registries that an application configures. Reads its
 * configuration and starts nothing. Run it with {@code --help} for its arguments.
 *
 * @since 0.1.0
 */
public final class PrintScannerRules {

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

    private final PrintCommand command;

    PrintScannerRules(PrintStream out, PrintStream err, ConfigurableEnvironment environment) {
        this.command = new PrintCommand(HELP, out, err, environment);
    }

    /** Runs the command, and ends the process with the exit code 0 or 1. */
    public static void main(String[] arguments) {
        PrintCommand.quietLibraries();
        System.exit(new PrintScannerRules(System.out, System.err, new StandardEnvironment()).run(List.of(arguments)));
    }

    /** Returns the exit code. */
    int run(List<String> arguments) {
        return command.run(arguments, () -> rules(arguments));
    }

    private String rules(List<String> arguments) throws CommandException {
        Function<ScannerRules, String> format = arguments.size() == 1 ? FORMATS.get(arguments.get(0)) : null;
        if (format == null) {
            throw new CommandException("The argument must be gitleaks, trufflehog or github."
                    + " Run the command with --help for an explanation.");
        }
        List<ApiKeyRegistryOptions> registries = command.read(PrintScannerRules::registries);
        if (registries.isEmpty()) {
            throw new CommandException("No registry is configured with " + REGISTRIES
                    + ".<namespace>. If only a profile configures them, set SPRING_PROFILES_ACTIVE.");
        }
        return format.apply(new ScannerRules(registries));
    }

    private static List<ApiKeyRegistryOptions> registries(Binder properties) {
        return properties
                .bind(REGISTRIES, Bindable.mapOf(String.class, ApiKeyRegistryProperties.class))
                .orElse(Map.of())
                .entrySet()
                .stream()
                .map(registry -> registry.getValue().options(registry.getKey()))
                .toList();
    }
}
