package io.credential.webhook.delivery;

import java.time.Duration;
import java.util.random.RandomGenerator;

import io.credential.webhook.delivery.internal.DispatcherOption;
import io.credential.webhook.delivery.internal.DispatcherRules;

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

    /** @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if a value is out of range */
    public RetryBackoff {
        DispatcherRules.require("initial", initial);
        DispatcherRules.require("max", max);
        DispatcherOption.BACKOFF_INITIAL.require(initial);
        DispatcherOption.BACKOFF_MAX.require(max);
        DispatcherRules.requireThat(
                max.compareTo(initial) >= 0,
                "retryBackoff.max must not be shorter than retryBackoff.initial (" + initial + "), but is " + max);
        DispatcherOption.BACKOFF_FACTOR.require(factor);
        DispatcherOption.BACKOFF_JITTER.require(jitter);
    }

    /** Returns the default: 5 s, doubled up to 60 min, with a jitter of 0.1. */
    public static RetryBackoff defaults() {
        return new RetryBackoff(
                DispatcherOption.BACKOFF_INITIAL.defaultValue(),
                DispatcherOption.BACKOFF_MAX.defaultValue(),
                DispatcherOption.BACKOFF_FACTOR.defaultValue(),
                DispatcherOption.BACKOFF_JITTER.defaultValue());
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
