package io.credential.webhook.delivery.outbox;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Ids of events: 32 hexadecimal digits, of which the first 12 are the time in milliseconds, so that rows are stored in
 * the order in which they are removed. The deliveries of an event have its first 24 digits and 8 more.
 *
 * @since 0.1.0
 */
public final class EventIdGenerator {

    public static final int PREFIX_DIGITS = 24;

    private static final HexFormat HEX = HexFormat.of();
    private static final int TIME_DIGITS = 12;
    private static final int RANDOM_BYTES = 10;

    private final SecureRandom random;

    public EventIdGenerator(SecureRandom random) {
        this.random = random;
    }

    String next(long unixMillis) {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return timePrefix(unixMillis) + HEX.formatHex(bytes);
    }

    /** What the ids of events and deliveries of a time begin with. */
    public static String timePrefix(long unixMillis) {
        return HEX.toHexDigits(unixMillis, TIME_DIGITS);
    }

    /** What the ids of an event's deliveries begin with. */
    public static String deliveryPrefix(String eventId) {
        return eventId.substring(0, PREFIX_DIGITS);
    }
}
