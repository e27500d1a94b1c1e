package io.credential.spring.console.internal.web;

import java.io.Serial;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/** A request that cannot be served, with what to tell the operator. */
public final class ConsoleException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final HttpStatus status;
    private final String message;
    private final @Nullable Access missing;

    private ConsoleException(HttpStatus status, String message, @Nullable Access missing) {
        super(message);
        this.status = status;
        this.message = message;
        this.missing = missing;
    }

    private ConsoleException(HttpStatus status, String message) {
        this(status, message, null);
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

    /**
     * Returns an exception for something that needs an authority, which the page then names.
     *
     * @param message why; may be empty
     */
    public static ConsoleException missing(Access access, String message) {
        return new ConsoleException(HttpStatus.FORBIDDEN, message, access);
    }

    /** Returns an exception for something that does not fit the current state. */
    public static ConsoleException conflict(String message) {
        return new ConsoleException(HttpStatus.CONFLICT, message);
    }

    /** Returns what to tell the operator. */
    public Problem problem() {
        return Problem.of(status, status.getReasonPhrase(), message);
    }

    /** Returns what the operator may not do; null if that is not the cause. */
    @Nullable Access missing() {
        return missing;
    }
}
