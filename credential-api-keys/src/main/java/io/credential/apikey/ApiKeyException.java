package io.credential.apikey;

import org.jspecify.annotations.Nullable;

import io.credential.storage.DatabaseFault;
import io.credential.storage.ReadOnlyTransactionException;

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

    /**
     * Returns the exception for a failure of the database: {@code api-key/read-only-transaction}, {@code
     * api-key/database-error}, or {@code api-key/unavailable} if a retry can succeed.
     */
    public static ApiKeyException ofDatabase(RuntimeException failure) {
        if (failure instanceof ReadOnlyTransactionException) {
            return new ApiKeyException(
                    ApiKeyErrorCode.READ_ONLY_TRANSACTION, ReadOnlyTransactionException.MESSAGE, failure);
        }
        return DatabaseFault.of(failure)
                .map(fault -> new ApiKeyException(
                        fault.isPermanent() ? ApiKeyErrorCode.DATABASE_ERROR : ApiKeyErrorCode.UNAVAILABLE,
                        fault.message(),
                        failure))
                .orElseGet(() -> new ApiKeyException(
                        ApiKeyErrorCode.UNAVAILABLE,
                        "The database of the API keys does not answer; retry later",
                        failure));
    }

    /** Returns a refusal that concerns one key. */
    public static ApiKeyException ofKey(String keyId, ApiKeyErrorCode errorCode, String message) {
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
