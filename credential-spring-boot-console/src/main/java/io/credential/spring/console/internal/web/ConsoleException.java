package io.credential.spring.console.internal.web;

import java.io.Serial;

import org.springframework.http.HttpStatus;

/** A request that cannot be served, with what to tell the operator. */
public final class ConsoleException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final HttpStatus status;
    private final String message;

    private ConsoleException(HttpStatus status, String message) {
        super(message);
        this.status = status;
        this.message = message;
    }

    /** Returns an exception for a parameter that is missing or malformed. */
    public static ConsoleException badRequest(String message) {
        return new ConsoleException(HttpStatus.BAD_REQUEST, message);
    }

    /** Returns an exception for something that does not exist. */
    public static ConsoleException notFound(String message) {
        return new ConsoleException(HttpStatus.NOT_FOUND, message);
    }

    /** Returns an exception for something that the operator may not do. */
    public static ConsoleException forbidden(String message) {
        return new ConsoleException(HttpStatus.FORBIDDEN, message);
    }

    /** Returns an exception for something that does not fit the current state. */
    public static ConsoleException conflict(String message) {
        return new ConsoleException(HttpStatus.CONFLICT, message);
    }

    /** Returns what to tell the operator. */
    public Problem problem() {
        return Problem.of(status, status.getReasonPhrase(), message);
    }
}
