package io.credential.webhook.delivery;

import org.jspecify.annotations.Nullable;

import io.credential.storage.DatabaseFault;
import io.credential.storage.ReadOnlyTransactionException;

/**
 * Thrown when the dispatcher rejects an operation. The message says what to do, and never contains a secret. A failed
 * delivery is reported by its status, not by an exception.
 *
 * @since 0.1.0
 */
public final class WebhookDispatcherException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final WebhookDispatcherErrorCode errorCode;

    public WebhookDispatcherException(WebhookDispatcherErrorCode errorCode, String message) {
        this(errorCode, message, null);
    }

    public WebhookDispatcherException(WebhookDispatcherErrorCode errorCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.errorCode = errorCode;
    }

    /**
     * Returns the exception for a failure of the database: {@code webhook-dispatcher/foreign-transaction} in a
     * read-only transaction, {@code webhook-dispatcher/database-error}, or {@code webhook-dispatcher/unavailable} if a
     * retry can succeed.
     */
    public static WebhookDispatcherException ofDatabase(RuntimeException failure) {
        if (failure instanceof ReadOnlyTransactionException) {
            return new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.FOREIGN_TRANSACTION, ReadOnlyTransactionException.MESSAGE, failure);
        }
        return DatabaseFault.of(failure)
                .map(fault -> new WebhookDispatcherException(
                        fault.isPermanent()
                                ? WebhookDispatcherErrorCode.DATABASE_ERROR
                                : WebhookDispatcherErrorCode.UNAVAILABLE,
                        fault.message(),
                        failure))
                .orElseGet(() -> new WebhookDispatcherException(
                        WebhookDispatcherErrorCode.UNAVAILABLE,
                        "The database of the dispatcher does not answer; retry later",
                        failure));
    }

    /** Returns the stable code, for example {@code webhook-dispatcher/not-found}. */
    public String code() {
        return errorCode.text();
    }

    /** Returns the code as a constant. */
    public WebhookDispatcherErrorCode errorCode() {
        return errorCode;
    }
}
