package io.credential.spring.autoconfigure.database;

import java.io.PrintStream;
import java.util.List;
import java.util.Optional;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;

import io.credential.spring.autoconfigure.command.CommandException;
import io.credential.spring.autoconfigure.command.PrintCommand;
import io.credential.storage.SqlDialect;
import io.credential.webhook.delivery.queue.DispatcherTables;

/**
 * The command that prints SQL that creates and updates the tables of an application on PostgreSQL. Reads its configuration,
 * and connects to no database. Run it with {@code --help} for its arguments.
 *
 * @since 0.1.0
 */
public final class PrintSchema {

    private static final String DISPATCHER = "credential.webhook.dispatcher.";

    private static final String HELP = """
            Prints SQL that creates the tables of this application on PostgreSQL, or updates them if there are older
            ones. Run it as their owner, for applications with credential.storage.schema=validate.

            Arguments:
              <user>        the database user of the application, who is granted what it needs;
                            without it, nothing is granted
              --help        prints this text

            Which tables there are, and their names, is read from the configuration of the application, with the
            profiles in SPRING_PROFILES_ACTIVE.

            Exit code: 0 if SQL was printed, otherwise 1.
            """;

    private final PrintCommand command;
    private final ConfigurableEnvironment environment;

    PrintSchema(PrintStream out, PrintStream err, ConfigurableEnvironment environment) {
        this.environment = environment;
        this.command = new PrintCommand(HELP, out, err, environment);
    }

    /** Runs the command, and ends the process with the exit code 0 or 1. */
    public static void main(String[] arguments) {
        PrintCommand.quietLibraries();
        System.exit(new PrintSchema(System.out, System.err, new StandardEnvironment()).run(List.of(arguments)));
    }

    /** Returns the exit code. */
    int run(List<String> arguments) {
        return command.run(arguments, () -> sql(arguments));
    }

    private String sql(List<String> arguments) throws CommandException {
        if (arguments.size() > 1 || arguments.stream().anyMatch(user -> user.isEmpty() || user.startsWith("-"))) {
            throw new CommandException(
                    "The only argument is a database user. Run the command with --help for an explanation.");
        }
        String user = arguments.isEmpty() ? null : arguments.get(0);
        return command.read(properties -> ConfiguredSchema.scripts(environment).sql(user)
                + dispatcherTables(properties)
                        .map(tables ->
                                "\n" + tables.scripts(SqlDialect.POSTGRESQL).sql(user))
                        .orElse(""));
    }

    private static Optional<DispatcherTables> dispatcherTables(Binder properties) {
        return property(properties, "enabled", Boolean.class, true)
                ? Optional.of(DispatcherTables.named(
                        property(properties, "endpoints-table", String.class, DispatcherTables.DEFAULT_ENDPOINTS),
                        property(properties, "deliveries-table", String.class, DispatcherTables.DEFAULT_DELIVERIES)))
                : Optional.empty();
    }

    private static <T> T property(Binder properties, String name, Class<T> type, T defaultValue) {
        return properties.bind(DISPATCHER + name, type).orElse(defaultValue);
    }
}
