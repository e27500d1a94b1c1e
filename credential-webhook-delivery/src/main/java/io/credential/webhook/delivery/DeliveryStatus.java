package io.credential.webhook.delivery;

import java.util.Arrays;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The status of a delivery.
 *
 * @since 0.1.0
 */
public enum DeliveryStatus {
    /** It waits for its next attempt. */
    PENDING("pending"),
    /** A node is attempting it, or has reserved it for an attempt. */
    IN_FLIGHT("in-flight"),
    /** The endpoint has accepted it. */
    DELIVERED("delivered"),
    /** It is not attempted any more; see {@link DeadReason}. */
    DEAD("dead");

    private final String text;

    DeliveryStatus(String text) {
        this.text = text;
    }

    /** Returns the text, as in JSON and in the database. */
    public String text() {
        return text;
    }

    /** Returns the status with this text; empty if the text is unknown. */
    public static Optional<DeliveryStatus> ofText(@Nullable String text) {
        return Arrays.stream(values())
                .filter(status -> status.text.equals(text))
                .findFirst();
    }
}
