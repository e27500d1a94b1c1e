package io.credential.benchmarks;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * A JSON payload of 1 KiB that carries its number and the time it was sent, in nanoseconds since the Unix epoch. All
 * fields have fixed positions, so that the receiver need not parse JSON.
 */
public record NumberedPayload(int number, long sentAt) {

    public static final int BYTES = 1024;

    private static final int NUMBER_START = "{\"n\":\"".length();
    private static final int NUMBER_END = NUMBER_START + 10;
    private static final int SENT_START = NUMBER_END + "\",\"t\":\"".length();
    private static final int SENT_END = SENT_START + 19;
    private static final String PADDING = "x".repeat(BYTES - SENT_END - "\",\"pad\":\"".length() - "\"}".length());

    public static NumberedPayload sentNow(int number) {
        return new NumberedPayload(number, now());
    }

    public static NumberedPayload read(ByteBuffer buffer, int start) {
        return new NumberedPayload(
                (int) digits(buffer, start + NUMBER_START, start + NUMBER_END),
                digits(buffer, start + SENT_START, start + SENT_END));
    }

    public static long now() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000 + now.getNano();
    }

    public byte[] bytes() {
        return "{\"n\":\"%010d\",\"t\":\"%019d\",\"pad\":\"%s\"}"
                .formatted(number, sentAt, PADDING)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static long digits(ByteBuffer buffer, int start, int end) {
        long value = 0;
        for (int i = start; i < end; i++) {
            value = 10 * value + buffer.get(i) - '0';
        }
        return value;
    }
}
