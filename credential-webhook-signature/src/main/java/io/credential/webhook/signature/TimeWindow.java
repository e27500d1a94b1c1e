package io.credential.webhook.signature;

import java.time.Duration;
import java.time.Instant;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;

/**
 * How far the time of a signature may be from now.
 *
 * @param tolerance how far in the past
 * @param clockSkew how far in the future
 */
record TimeWindow(Duration tolerance, Duration clockSkew) {

    /** Keeps every time that is calculated from a window within the range of databases and clocks. */
    static final Duration LONGEST = Duration.ofDays(36_500);

    /** A nonce must outlive the window by the time from the check to the insert. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    TimeWindow {
        if (tolerance.isNegative() || tolerance.isZero() || tolerance.compareTo(LONGEST) > 0) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_TOLERANCE,
                    "The tolerance must be longer than zero and at most 100 years, not " + tolerance);
        }
        if (clockSkew.isNegative() || clockSkew.compareTo(LONGEST) > 0) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_OPT,
                    "The clock skew must be zero or longer and at most 100 years, not " + clockSkew);
        }
    }

    /**
     * Checks that a signature of this time may be accepted now.
     *
     * @throws WebhookException {@code webhook/expired} or {@code webhook/future} if it may not
     */
    void check(long seconds, Instant now) {
        Duration age = age(seconds, now);
        if (age.compareTo(tolerance) > 0) {
            throw new WebhookException(
                    WebhookErrorCode.EXPIRED, "The timestamp is older than the tolerance of " + tolerance);
        }
        if (age.plus(clockSkew).isNegative()) {
            throw new WebhookException(
                    WebhookErrorCode.FUTURE, "The timestamp is further ahead than the clock skew of " + clockSkew);
        }
    }

    /** Returns the age of a signature of this time; negative if it is in the future. */
    static Duration age(long seconds, Instant now) {
        return Duration.between(Instant.ofEpochSecond(seconds), now);
    }

    /** Returns how long after its time a signature must be remembered: no clock within the skew accepts it later. */
    Duration memory() {
        return tolerance.plus(clockSkew).plus(MARGIN);
    }

    /** Returns until when a signature of this time must be remembered. */
    Instant forgetAt(long seconds) {
        return Instant.ofEpochSecond(seconds).plus(memory());
    }
}
