package io.credential.webhook;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a webhook is refused or cannot be sent, or a signer or verifier cannot be built from its options. The
 * message says what is wrong, never contains a secret, and never says which part of a signature was wrong.
 *
 * @since 0.1.0
 */
public final class WebhookException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final WebhookErrorCode errorCode;

    public WebhookException(WebhookErrorCode errorCode, String message) {
        this(errorCode, message, null);
    }

    public WebhookException(WebhookErrorCode errorCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.errorCode = errorCode;
    }

    /** Returns the stable code, for example {@code webhook/bad-signature}. */
    public String code() {
        return errorCode.text();
    }

    /** Returns the code as an enum constant. */
    public WebhookErrorCode errorCode() {
        return errorCode;
    }
}
