package io.credential.apikey;

import org.jspecify.annotations.Nullable;

/**
 * A registry operation was refused or could not be decided. The message says what to do and never holds a secret.
 * A rejected token is not an exception: {@link ApiKeyRegistry#verify(String)} answers it with an empty result.
 *
 * @since 0.1.0
 */
public final class ApiKeyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ApiKeyErrorCode errorCode;

    public ApiKeyException(ApiKeyErrorCode errorCode, String message) {
        this(errorCode, message, null);
    }

    public ApiKeyException(ApiKeyErrorCode errorCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.errorCode = errorCode;
    }

    /** The stable code, for example {@code api-key/not-found}. */
    public String code() {
        return errorCode.text();
    }

    /** The code as a constant to switch on. */
    public ApiKeyErrorCode errorCode() {
        return errorCode;
    }
}
