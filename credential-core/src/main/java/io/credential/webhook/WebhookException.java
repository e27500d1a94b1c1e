package io.credential.webhook;

import org.jspecify.annotations.Nullable;

/**
 * A webhook was refused or could not be sent, or a signer or verifier could not be built from its options. The message
 * says what to do, never holds a secret, and never says which part of a signature was wrong.
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

    /** The stable code, for example {@code webhook/bad-signature}. */
    public String code() {
        return errorCode.text();
    }

    /** The code as a constant to switch on. */
    public WebhookErrorCode errorCode() {
        return errorCode;
    }
}
