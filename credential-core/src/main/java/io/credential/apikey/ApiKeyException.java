package io.credential.apikey;

import org.jspecify.annotations.Nullable;

/**
 * A registry operation was refused or could not be decided. The message says what to do and never holds a secret.
 * A rejected token is not an exception: {@link ApiKeyRegistry#verify(String)} answers it with an empty result.
 *
 * @since 0.1.0
 */
public sealed class ApiKeyException extends RuntimeException permits NotLeaderException {

    private static final long serialVersionUID = 1L;

    private final ApiKeyErrorCode errorCode;

    private final @Nullable String keyId;

    public ApiKeyException(ApiKeyErrorCode errorCode, String message) {
        this(errorCode, message, null, null);
    }

    public ApiKeyException(ApiKeyErrorCode errorCode, String message, @Nullable Throwable cause) {
        this(errorCode, message, null, cause);
    }

    private ApiKeyException(
            ApiKeyErrorCode errorCode, String message, @Nullable String keyId, @Nullable Throwable cause) {
        super(message, cause);
        this.errorCode = errorCode;
        this.keyId = keyId;
    }

    /** A refusal that is about one key. */
    static ApiKeyException about(String keyId, ApiKeyErrorCode errorCode, String message) {
        return new ApiKeyException(errorCode, message, keyId, null);
    }

    /** The stable code, for example {@code api-key/not-found}. */
    public String code() {
        return errorCode.text();
    }

    /** The code as a constant to switch on. */
    public ApiKeyErrorCode errorCode() {
        return errorCode;
    }

    /** The id of the key that it is about, if it is about one that exists; else null. */
    public @Nullable String keyId() {
        return keyId;
    }
}
