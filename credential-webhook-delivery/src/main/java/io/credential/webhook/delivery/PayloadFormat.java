package io.credential.webhook.delivery;

import java.util.Arrays;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * How the body of a webhook is made from the payload of an event.
 *
 * @since 0.1.0
 */
public enum PayloadFormat {
    /** The payload as it is stored, byte for byte. */
    RAW("raw"),
    /**
     * A JSON object <code>{"type":"order.paid","timestamp":"2026-01-01T00:00:00.000Z","data":..}</code> as Standard
     * Webhooks recommends: the event's type, the time of the dispatch in UTC (ISO 8601), and the payload byte for byte,
     * which must be JSON in UTF-8. With any other payload, the delivery is dead: {@link DeadReason#PAYLOAD_NOT_JSON}.
     */
    ENVELOPE("envelope");

    private final String text;

    PayloadFormat(String text) {
        this.text = text;
    }

    /** Returns the text, as in JSON and in the database. */
    public String text() {
        return text;
    }

    /** Returns the format with this text; empty if the text is unknown. */
    public static Optional<PayloadFormat> ofText(@Nullable String text) {
        return Arrays.stream(values())
                .filter(format -> format.text.equals(text))
                .findFirst();
    }
}
