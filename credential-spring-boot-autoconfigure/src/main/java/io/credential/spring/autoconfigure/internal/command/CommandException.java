package io.credential.spring.autoconfigure.internal.command;

/** Tells the user of a command why it cannot print anything, and what to do. */
public final class CommandException extends Exception {

    private static final long serialVersionUID = 1L;

    public CommandException(String message) {
        super(message);
    }
}
