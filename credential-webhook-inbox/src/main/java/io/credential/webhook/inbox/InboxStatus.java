package io.credential.webhook.inbox;

import java.util.Arrays;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The state of a stored webhook. The texts are stable.
 *
 * @since 0.1.0
 */
public enum InboxStatus {
    /** It waits for an attempt to process it, or is being processed. */
    PENDING("pending"),
    /** It was processed. */
    PROCESSED("processed"),
    /** All attempts to process it failed; an operator can retry it. */
    DEAD("dead");

    private final String text;

    InboxStatus(String text) {
        this.text = text;
    }

    /** Returns the text, as in JSON and in the database. */
    public String text() {
        return text;
    }

    /** Returns the status with this text, or empty if there is none. */
    public static Optional<InboxStatus> ofText(@Nullable String text) {
        return Arrays.stream(values())
                .filter(status -> status.text.equals(text))
                .findFirst();
    }
}
