package io.credential.apikey;

import org.jspecify.annotations.Nullable;

/**
 * A registry operation was refused or could not be decided. The message says what is wrong and never contains a secret. A
 * rejected token causes no exception: {@link ApiKeyRegistry#verify(String)} returns an empty result.
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

    /** A refusal that concerns one key. */
    static ApiKeyException about(String keyId, ApiKeyErrorCode errorCode, String message) {
        return new ApiKeyException(errorCode, message, keyId, null);
    }

    /** Returns the stable code, for example {@code api-key/not-found}. */
    public String code() {
        return errorCode.text();
    }

    /** Returns the code as a constant, for a switch. */
    public ApiKeyErrorCode errorCode() {
        return errorCode;
    }

    /** Returns the id of the existing key that the operation was about, or null. */
    public @Nullable String keyId() {
        return keyId;
    }
}
