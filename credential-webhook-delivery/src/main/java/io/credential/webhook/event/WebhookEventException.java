package io.credential.webhook.event;

import org.jspecify.annotations.Nullable;

/**
 * A record cannot be a typed event, or its JSON does not match its schema. The message names the record and the property, and
 * contains no value of an event.
 *
 * @since 0.1.0
 */
public final class WebhookEventException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WebhookEventException(String message) {
        this(message, null);
    }

    WebhookEventException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    static <T> T require(String what, @Nullable T value) {
        if (value == null) {
            throw new WebhookEventException(what + " must not be null");
        }
        return value;
    }
}
