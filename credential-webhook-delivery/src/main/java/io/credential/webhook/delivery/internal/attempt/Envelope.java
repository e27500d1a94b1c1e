package io.credential.webhook.delivery.internal.attempt;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;

/** Makes the body of {@link io.credential.webhook.delivery.PayloadFormat#ENVELOPE}. */
final class Envelope {

    private static final DateTimeFormatter MILLISECONDS =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

    private Envelope() {}

    /**
     * @param eventType consists of characters that need no escaping in JSON
     * @param time the time of the event, in Unix milliseconds
     * @param payload JSON, which is copied byte for byte
     */
    static byte[] of(String eventType, long time, byte[] payload) {
        byte[] head = ("{\"type\":\"" + eventType + "\",\"timestamp\":\""
                        + MILLISECONDS.format(Instant.ofEpochMilli(time)) + "\",\"data\":")
                .getBytes(StandardCharsets.UTF_8);
        byte[] body = new byte[head.length + payload.length + 1];
        System.arraycopy(head, 0, body, 0, head.length);
        System.arraycopy(payload, 0, body, head.length, payload.length);
        body[body.length - 1] = '}';
        return body;
    }
}
