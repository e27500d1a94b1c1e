package io.credential.spring.autoconfigure.command;

/**
 * Tells the user of a command why it cannot print anything, and what to do.
 *
 * @since 0.1.0
 */
public final class CommandException extends Exception {

    private static final long serialVersionUID = 1L;

    public CommandException(String message) {
        super(message);
    }
}
