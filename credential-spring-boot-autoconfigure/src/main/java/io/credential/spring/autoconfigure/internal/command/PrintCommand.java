package io.credential.spring.autoconfigure.internal.command;

import java.io.PrintStream;
import java.util.List;
import java.util.function.Function;

import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Prints text that is made from the configuration of an application, or why it cannot be made. Starts nothing of the
 * application.
 */
public final class PrintCommand {

    private static final String LOGGING = "logback.configurationFile";

    private final String help;
    private final PrintStream out;
    private final PrintStream err;
    private final ConfigurableEnvironment environment;

    /** Makes the text. */
    @FunctionalInterface
    public interface Text {
        String make() throws CommandException;
    }

    /** @param environment of the application, without its configuration files */
    public PrintCommand(String help, PrintStream out, PrintStream err, ConfigurableEnvironment environment) {
        this.help = help;
        this.out = out;
        this.err = err;
        this.environment = environment;
    }

    /** Call this first in a process: without Spring Boot's logging, Logback prints what libraries do at the level DEBUG. */
    public static void quietLibraries() {
        if (System.getProperty(LOGGING) == null) {
            System.setProperty(LOGGING, "io/credential/logback-commands.xml");
        }
    }

    /** Prints the text, or the help if the arguments ask for it. Returns the exit code, 0 or 1. */
    public int run(List<String> arguments, Text text) {
        if (arguments.contains("--help")) {
            out.print(help);
            return 0;
        }
        try {
            out.print(text.make());
            return 0;
        } catch (CommandException e) {
            err.println(e.getMessage());
            return 1;
        }
    }

    /**
     * Reads the configuration files of the application, and what is needed of them.
     *
     * @throws CommandException if a file cannot be read, or a property has a wrong value
     */
    public <T> T read(Function<Binder, T> properties) throws CommandException {
        try {
            ConfigDataEnvironmentPostProcessor.applyTo(environment);
            return properties.apply(Binder.get(environment));
        } catch (InvalidConfigurationPropertyValueException e) {
            throw new CommandException(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            throw new CommandException("The configuration cannot be read: "
                    + NestedExceptionUtils.getMostSpecificCause(e).getMessage());
        }
    }
}
