package io.credential.webhook.delivery;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Where a delivery stands.
 *
 * @since 0.1.0
 */
public enum DeliveryStatus {
    /** Waits for its next attempt. */
    PENDING("pending"),
    /** Is being attempted by a node. */
    IN_FLIGHT("in-flight"),
    /** The endpoint has accepted it. */
    DELIVERED("delivered"),
    /** Was given up. */
    DEAD("dead");

    private final String text;

    DeliveryStatus(String text) {
        this.text = text;
    }

    /** As it is written, in JSON and in the database too. */
    public String text() {
        return text;
    }

    /** The status that is written so; empty when none is. */
    public static Optional<DeliveryStatus> ofText(@Nullable String text) {
        for (DeliveryStatus status : values()) {
            if (status.text.equals(text)) {
                return Optional.of(status);
            }
        }
        return Optional.empty();
    }
}
