package io.credential.webhook.delivery;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * How the body of an endpoint's webhooks is made from the payload of an event.
 *
 * @since 0.1.0
 */
public enum PayloadFormat {
    /** The payload as it is stored, byte for byte. */
    RAW("raw"),
    /**
     * A JSON object <code>{"type":"order.paid","timestamp":"2026-01-01T00:00:00.000Z","data":..}</code> as Standard
     * Webhooks recommends: the event's type, the time of the dispatch in UTC (ISO 8601), and the payload byte for byte,
     * which must be JSON in UTF-8. A delivery of another payload is dead as {@link DeadReason#PAYLOAD_NOT_JSON}.
     */
    ENVELOPE("envelope");

    private final String text;

    PayloadFormat(String text) {
        this.text = text;
    }

    /** As it is written, in JSON and in the database too. */
    public String text() {
        return text;
    }

    /** The format that is written so; empty when none is. */
    public static Optional<PayloadFormat> ofText(@Nullable String text) {
        for (PayloadFormat format : values()) {
            if (format.text.equals(text)) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }
}
