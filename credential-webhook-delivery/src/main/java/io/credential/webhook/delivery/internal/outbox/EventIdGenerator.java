package io.credential.webhook.delivery.internal.outbox;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Generates ids of events: 32 hexadecimal digits, of which the first 12 are the time in milliseconds, so that rows are
 * stored in the order in which they are removed. The id of a delivery has the first 24 digits of its event's and 8 more.
 */
public final class EventIdGenerator {

    public static final int PREFIX_DIGITS = 24;

    /** The last time that an id can begin with, in Unix milliseconds. */
    public static final long LAST_MILLIS = 0xffff_ffff_ffffL;

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

    /** Returns the prefix of the ids of events and deliveries that are created at this time. */
    public static String timePrefix(long unixMillis) {
        return HEX.toHexDigits(unixMillis, TIME_DIGITS);
    }

    /** Returns the prefix of the ids of an event's deliveries. */
    public static String deliveryPrefix(String eventId) {
        return eventId.substring(0, PREFIX_DIGITS);
    }
}
