package io.credential.webhook.delivery;

import java.util.Arrays;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Why an endpoint is paused. The texts are stable.
 *
 * @since 0.1.0
 */
public enum PauseReason {
    /** {@link WebhookDispatcher#pauseEndpoint} was called. */
    MANUAL("manual"),
    /** The endpoint responded with 410 Gone. */
    GONE("gone"),
    /** All attempts failed for the configured time. */
    FAILING("failing");

    private final String text;

    PauseReason(String text) {
        this.text = text;
    }

    /** Returns the text, as in JSON and in the database. */
    public String text() {
        return text;
    }

    /** Returns the reason with this text; empty if the text is unknown. */
    public static Optional<PauseReason> ofText(@Nullable String text) {
        return Arrays.stream(values())
                .filter(reason -> reason.text.equals(text))
                .findFirst();
    }
}
