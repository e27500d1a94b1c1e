package io.credential.webhook.delivery;

import org.jspecify.annotations.Nullable;

/**
 * An operation of the dispatcher was refused. The message says what to do and never holds a secret. A delivery that
 * fails is reported by its status, not by an exception.
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

    /** The stable code, for example {@code webhook-dispatcher/not-found}. */
    public String code() {
        return errorCode.text();
    }

    /** The code as a constant to switch on. */
    public WebhookDispatcherErrorCode errorCode() {
        return errorCode;
    }
}
