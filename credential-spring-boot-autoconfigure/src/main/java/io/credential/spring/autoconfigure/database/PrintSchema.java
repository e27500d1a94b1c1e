package io.credential.spring.autoconfigure.database;

import java.io.PrintStream;
import java.util.List;

import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;

import io.credential.storage.SchemaScripts;
import io.credential.storage.SqlDialect;
import io.credential.webhook.delivery.queue.DispatcherTables;

/**
 * The command that prints SQL that creates and updates the tables of an application on PostgreSQL. Reads its configuration,
 * and connects to no database. Run it with {@code --help} for its arguments.
 *
 * @since 0.1.0
 */
public final class PrintSchema {

    private static final String LOGGING = "logback.configurationFile";
    private static final String DISPATCHER = "credential.webhook.dispatcher.";

    private static final String HELP = """
            Prints SQL that creates the tables of this application on PostgreSQL, or updates them if there are older
            ones. Run it as their owner, for applications with credential.storage.schema=validate.

            Arguments:
              <user>        the database user of the application, who is granted what it needs;
                            without it, nothing is granted
              --help        prints this text

            The names of the tables are read from the configuration of the application, with the profiles in
            SPRING_PROFILES_ACTIVE.

            Exit code: 0 if SQL was printed, otherwise 1.
            """;

    private final PrintStream out;
    private final PrintStream err;
    private final ConfigurableEnvironment environment;

    PrintSchema(PrintStream out, PrintStream err, ConfigurableEnvironment environment) {
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
        System.exit(new PrintSchema(System.out, System.err, new StandardEnvironment()).run(List.of(arguments)));
    }

    /** Returns the exit code. */
    int run(List<String> arguments) {
        if (arguments.contains("--help")) {
            out.print(HELP);
            return 0;
        }
        if (arguments.size() > 1 || arguments.stream().anyMatch(user -> user.isEmpty() || user.startsWith("-"))) {
            err.println("The only argument is a database user. Run the command with --help for an explanation.");
            return 1;
        }
        String user = arguments.isEmpty() ? null : arguments.get(0);
        DispatcherTables dispatcher;
        try {
            ConfigDataEnvironmentPostProcessor.applyTo(environment);
            dispatcher = property("enabled", Boolean.class, true) ? dispatcherTables() : null;
        } catch (RuntimeException e) {
            err.println("The configuration cannot be read: "
                    + NestedExceptionUtils.getMostSpecificCause(e).getMessage());
            return 1;
        }
        out.print(SchemaScripts.COMMON.sql(user));
        if (dispatcher != null) {
            out.print("\n" + dispatcher.scripts(SqlDialect.POSTGRESQL).sql(user));
        }
        return 0;
    }

    private DispatcherTables dispatcherTables() {
        return DispatcherTables.named(
                property("endpoints-table", String.class, DispatcherTables.DEFAULT_ENDPOINTS),
                property("deliveries-table", String.class, DispatcherTables.DEFAULT_DELIVERIES));
    }

    private <T> T property(String name, Class<T> type, T defaultValue) {
        return Binder.get(environment).bind(DISPATCHER + name, type).orElse(defaultValue);
    }
}
