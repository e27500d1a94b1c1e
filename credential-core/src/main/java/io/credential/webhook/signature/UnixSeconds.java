package io.credential.webhook.signature;

import java.time.Instant;
import java.util.OptionalLong;
import java.util.regex.Pattern;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;

/** Timestamps of signatures: whole unix seconds, in the one decimal form that has no sign and no leading zero. */
final class UnixSeconds {

    private static final Pattern CANONICAL = Pattern.compile("0|[1-9][0-9]{0,16}");

    private UnixSeconds() {}

    /** Empty when the text is not canonical, or is a time that {@link Instant} cannot hold. */
    static OptionalLong parse(String text) {
        if (text.length() > 17 || !CANONICAL.matcher(text).matches()) {
            return OptionalLong.empty();
        }
        long seconds = Long.parseLong(text);
        return seconds <= Instant.MAX.getEpochSecond() ? OptionalLong.of(seconds) : OptionalLong.empty();
    }

    /**
     * The text of a timestamp, in the digits of every locale's machine.
     *
     * @throws WebhookException {@code webhook/bad-timestamp} when it has none
     */
    static String format(long seconds) {
        if (seconds < 0 || seconds > Instant.MAX.getEpochSecond()) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_TIMESTAMP, "A timestamp must be in unix seconds from 1970 on, not " + seconds);
        }
        return Long.toString(seconds);
    }
}
