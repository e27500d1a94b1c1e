package io.credential.webhook.signature.internal;

import java.time.Instant;
import java.util.OptionalLong;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;

/** Timestamps of signatures: whole Unix seconds in decimal, without a sign or leading zeros. */
public final class UnixSeconds {

    /** Those of {@link Instant#MAX}. */
    private static final int MAX_DIGITS = 17;

    private UnixSeconds() {}

    /** Returns empty if the text is not canonical, or is out of the range of {@link Instant}. */
    public static OptionalLong parse(String text) {
        int digits = text.length();
        if (digits == 0 || digits > MAX_DIGITS || (digits > 1 && text.charAt(0) == '0')) {
            return OptionalLong.empty();
        }
        long seconds = 0;
        for (int i = 0; i < digits; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return OptionalLong.empty();
            }
            seconds = 10 * seconds + digit;
        }
        return seconds <= Instant.MAX.getEpochSecond() ? OptionalLong.of(seconds) : OptionalLong.empty();
    }

    /**
     * Returns the canonical text of a timestamp, whatever the locale.
     *
     * @throws WebhookException {@code webhook/bad-timestamp} if it is negative, or out of the range of {@link Instant}
     */
    public static String format(long seconds) {
        requireValid(seconds);
        return Long.toString(seconds);
    }

    /** @throws WebhookException {@code webhook/bad-timestamp} if it is negative, or out of the range of {@link Instant} */
    public static void requireValid(long seconds) {
        if (seconds < 0 || seconds > Instant.MAX.getEpochSecond()) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_TIMESTAMP, "A timestamp must be in Unix seconds from 1970 on, not " + seconds);
        }
    }
}
