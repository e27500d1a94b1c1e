package io.credential.webhook.delivery;

import org.jspecify.annotations.Nullable;

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

    /** Returns the stable code, for example {@code webhook-dispatcher/not-found}. */
    public String code() {
        return errorCode.text();
    }

    /** Returns the code as a constant. */
    public WebhookDispatcherErrorCode errorCode() {
        return errorCode;
    }
}
