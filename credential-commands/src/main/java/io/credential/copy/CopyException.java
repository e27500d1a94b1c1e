package io.credential.copy;

import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;

/** The copy cannot be made. The message is for the operator; it contains neither a secret nor a value of a row. */
final class CopyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CopyException(String message) {
        this(message, null);
    }

    CopyException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Returns the first line of the most specific message; further lines may quote the row. */
    static String reason(Throwable failure) {
        Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
        String message = cause.getMessage();
        return message == null
                ? cause.getClass().getName()
                : message.lines().findFirst().orElse("");
    }
}
