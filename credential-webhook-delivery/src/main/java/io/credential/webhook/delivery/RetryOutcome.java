package io.credential.webhook.delivery;

import java.util.Arrays;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * What became of the request to retry a delivery.
 *
 * @since 0.1.0
 */
public enum RetryOutcome {
    /** It is due, and is attempted in the background. */
    RETRIED("retried"),
    /** It is being attempted, and was not changed. */
    IN_FLIGHT("in-flight"),
    /** No delivery has this id. */
    NOT_FOUND("not-found"),
    /** Its payload was erased, so that it cannot be sent again. */
    PAYLOAD_ERASED("payload-erased");

    private final String text;

    RetryOutcome(String text) {
        this.text = text;
    }

    /** Returns the text, as in JSON. */
    public String text() {
        return text;
    }

    /** Returns the outcome with this text; empty if the text is unknown. */
    public static Optional<RetryOutcome> ofText(@Nullable String text) {
        return Arrays.stream(values())
                .filter(outcome -> outcome.text.equals(text))
                .findFirst();
    }
}
