package io.credential.webhook.delivery;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait between attempts: {@code min(max, initial * factor^(n-1))} after attempt n, and up to {@code jitter}
 * of it more, but never past {@code max}.
 *
 * @param initial the pause after the first attempt
 * @param max the longest pause, and the longest that {@code Retry-After} can ask for
 * @param factor by which each pause is longer than the one before, at least 1
 * @param jitter 0 to 1; 0 for the exact curve
 * @since 0.1.0
 */
public record RetryBackoff(Duration initial, Duration max, double factor, double jitter) {

    /** The longest pause that can be configured. */
    public static final Duration MAX_PAUSE = Duration.ofDays(365);

    /**
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} when a value is out of range
     */
    public RetryBackoff {
        DispatcherRules.require("initial", initial);
        DispatcherRules.require("max", max);
        if (initial.compareTo(Duration.ofMillis(1)) < 0 || max.compareTo(initial) < 0 || max.compareTo(MAX_PAUSE) > 0) {
            throw bad("retryBackoff needs 1 ms <= initial <= max <= " + MAX_PAUSE + ", not " + initial + " and " + max);
        }
        if (!(factor >= 1 && factor <= 100)) {
            throw bad("the factor of retryBackoff must be 1 to 100, not " + factor);
        }
        if (!(jitter >= 0 && jitter <= 1)) {
            throw bad("the jitter of retryBackoff must be 0 to 1, not " + jitter);
        }
    }

    /** 5 s, doubled up to 60 min, with a tenth of jitter. */
    public static RetryBackoff defaults() {
        return new RetryBackoff(Duration.ofSeconds(5), Duration.ofMinutes(60), 2, 0.1);
    }

    /**
     * Calculates the pause after a failed attempt.
     *
     * @param attempt the number of the attempt, from 1
     * @param random for the jitter
     * @return milliseconds
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} when {@code random} is null
     */
    public long pauseMillis(int attempt, RandomGenerator random) {
        DispatcherRules.require("random", random);
        double longest = max.toMillis();
        double exact = Math.min(longest, initial.toMillis() * Math.pow(factor, attempt - 1.0));
        return (long) Math.min(longest, exact * (1 + jitter * random.nextDouble()));
    }

    private static WebhookDispatcherException bad(String message) {
        return new WebhookDispatcherException(WebhookDispatcherErrorCode.BAD_OPTS, message);
    }
}
