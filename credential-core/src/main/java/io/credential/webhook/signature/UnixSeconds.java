package io.credential.webhook.signature;

import java.time.Instant;
import java.util.OptionalLong;
import java.util.regex.Pattern;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;

/** Timestamps of signatures: whole Unix seconds in decimal, without a sign or leading zeros. */
final class UnixSeconds {

    private static final Pattern CANONICAL = Pattern.compile("0|[1-9][0-9]{0,16}");

    private UnixSeconds() {}

    /** Returns empty if the text is not canonical, or is out of the range of {@link Instant}. */
    static OptionalLong parse(String text) {
        if (text.length() > 17 || !CANONICAL.matcher(text).matches()) {
            return OptionalLong.empty();
        }
        long seconds = Long.parseLong(text);
        return seconds <= Instant.MAX.getEpochSecond() ? OptionalLong.of(seconds) : OptionalLong.empty();
    }

    /**
     * Returns the canonical text of a timestamp, whatever the locale.
     *
     * @throws WebhookException {@code webhook/bad-timestamp} if it is negative, or out of the range of {@link Instant}
     */
    static String format(long seconds) {
        if (seconds < 0 || seconds > Instant.MAX.getEpochSecond()) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_TIMESTAMP, "A timestamp must be in Unix seconds from 1970 on, not " + seconds);
        }
        return Long.toString(seconds);
    }
}
