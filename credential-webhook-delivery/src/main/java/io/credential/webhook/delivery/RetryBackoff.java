package io.credential.webhook.delivery;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Calculates the pauses between attempts: {@code initial * factor^(n-1)} after attempt n, lengthened by a random share
 * of up to {@code jitter}, but never longer than {@code max}.
 *
 * @param initial the pause after the first attempt
 * @param max the longest pause, even if {@code Retry-After} asks for a longer one
 * @param factor by which each pause is multiplied for the next, 1 to 100
 * @param jitter 0 to 1; 0 for none
 * @since 0.1.0
 */
public record RetryBackoff(Duration initial, Duration max, double factor, double jitter) {

    /** The longest pause that can be configured. */
    public static final Duration MAX_PAUSE = Duration.ofDays(365);

    /** @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if a value is out of range */
    public RetryBackoff {
        DispatcherRules.require("initial", initial);
        DispatcherRules.require("max", max);
        DispatcherRules.requireThat(
                initial.compareTo(Duration.ofMillis(1)) >= 0
                        && max.compareTo(initial) >= 0
                        && max.compareTo(MAX_PAUSE) <= 0,
                "retryBackoff needs 1 ms <= initial <= max <= " + MAX_PAUSE + ", not " + initial + " and " + max);
        DispatcherRules.requireThat(
                factor >= 1 && factor <= 100, "the factor of retryBackoff must be 1 to 100, not " + factor);
        DispatcherRules.requireThat(
                jitter >= 0 && jitter <= 1, "the jitter of retryBackoff must be 0 to 1, not " + jitter);
    }

    /** Returns the default: 5 s, doubled up to 60 min, with a jitter of 0.1. */
    public static RetryBackoff defaults() {
        return new RetryBackoff(Duration.ofSeconds(5), Duration.ofMinutes(60), 2, 0.1);
    }

    /**
     * Calculates the pause after a failed attempt.
     *
     * @param attempt the number of the attempt, from 1
     * @param random for the jitter
     * @return milliseconds
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if {@code random} is null
     */
    public long pauseMillis(int attempt, RandomGenerator random) {
        DispatcherRules.require("random", random);
        double pause = initial.toMillis() * Math.pow(factor, attempt - 1.0) * (1 + jitter * random.nextDouble());
        return (long) Math.min((double) max.toMillis(), pause);
    }
}
