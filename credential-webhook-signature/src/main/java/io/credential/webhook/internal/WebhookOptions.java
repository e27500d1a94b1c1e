package io.credential.webhook.internal;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;

/**
 * Checks arguments of the builders and operations in and below {@code io.credential.webhook}, so that a missing one
 * always fails with an error code.
 */
public final class WebhookOptions {

    private WebhookOptions() {}

    /**
     * Returns the value.
     *
     * @param option names the value in the message
     * @throws WebhookException {@code webhook/bad-opt} if the value is null
     */
    public static <T> T required(@Nullable T value, String option) {
        if (value == null) {
            throw new WebhookException(WebhookErrorCode.BAD_OPT, option + " must not be null");
        }
        return value;
    }

    /**
     * Returns the body of a webhook.
     *
     * @throws WebhookException {@code webhook/bad-body} if it is null
     */
    public static byte[] requiredBody(byte @Nullable [] body) {
        if (body == null) {
            throw new WebhookException(WebhookErrorCode.BAD_BODY, "The body must not be null");
        }
        return body;
    }

    /**
     * Returns the text.
     *
     * @param option names the text in the message
     * @throws WebhookException {@code webhook/bad-opt} if the text is null or blank
     */
    public static String requiredText(@Nullable String text, String option) {
        String present = required(text, option);
        if (present.isBlank()) {
            throw new WebhookException(WebhookErrorCode.BAD_OPT, option + " must not be blank");
        }
        return present;
    }
}
