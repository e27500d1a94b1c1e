package io.credential.spring.autoconfigure.database;

import java.io.PrintStream;
import java.util.List;

import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;

import io.credential.spring.autoconfigure.internal.command.CommandException;
import io.credential.spring.autoconfigure.internal.command.PrintCommand;

/**
 * The command that prints SQL that creates and updates the tables of an application on PostgreSQL. Reads its configuration,
 * and connects to no database. Run it with {@code --help} for its arguments.
 *
 * @since 0.1.0
 */
public final class PrintSchema {

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
                + ConfiguredSchema.dispatcherScripts(environment, properties)
                        .map(scripts -> "\n" + scripts.sql(user))
                        .orElse(""));
    }
}
