package io.credential.copy;

import org.jspecify.annotations.Nullable;

/** The copy cannot be made. The message is for the operator; it contains neither a secret nor a value of a row. */
final class CopyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CopyException(String message) {
        this(message, null);
    }

    CopyException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Returns what a driver or library said last; only its first line, since others may quote the row. */
    static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        String message = cause.getMessage();
        return message == null
                ? cause.getClass().getName()
                : message.lines().findFirst().orElse("");
    }
}
