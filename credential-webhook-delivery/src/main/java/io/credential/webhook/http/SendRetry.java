package io.credential.webhook.http;

import java.time.Duration;
import java.util.random.RandomGenerator;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.internal.WebhookOptions;

/**
 * How often a webhook is sent before it counts as failed, and how long the pauses are. Each pause is twice as long as
 * the previous one, up to a maximum. It is then shortened at random by up to half, so that senders do not all retry at
 * once. {@code Retry-After} lengthens it, up to the maximum.
 *
 * @param maxAttempts the total number of requests, 1 to 20
 * @param initial the first pause before it is shortened; more than zero
 * @param max the longest pause; not less than {@code initial}, at most 10 minutes
 * @since 0.1.0
 */
public record SendRetry(int maxAttempts, Duration initial, Duration max) {

    private static final int MAX_ATTEMPTS = 20;

    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

    /**
     * @throws WebhookException {@code webhook/bad-opt} if an argument is null or out of range
     */
    public SendRetry {
        WebhookOptions.required(initial, "initial");
        WebhookOptions.required(max, "max");
        boolean attempts = maxAttempts >= 1 && maxAttempts <= MAX_ATTEMPTS;
        boolean pauses = initial.compareTo(Duration.ZERO) > 0
                && max.compareTo(initial) >= 0
                && max.compareTo(LONGEST_PAUSE) <= 0;
        if (!attempts || !pauses) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_OPT,
                    "retry needs maxAttempts from 1 to " + MAX_ATTEMPTS
                            + " and 0 < initial <= max <= 10 minutes, not " + maxAttempts + ", " + initial + " and "
                            + max);
        }
    }

    /** Returns three attempts, with pauses of up to half a second and one second, or 10 seconds for {@code Retry-After}. */
    public static SendRetry defaults() {
        return new SendRetry(3, Duration.ofMillis(500), Duration.ofSeconds(10));
    }

    /** Returns the pause after a failed attempt, counted from 1. */
    Duration pauseAfter(int attempt, RandomGenerator random) {
        long full = initial.toMillis();
        for (int i = 1; i < attempt && full < max.toMillis(); i++) {
            full *= 2;
        }
        double share = 0.5 + random.nextDouble() / 2;
        return Duration.ofMillis((long) (Math.min(full, max.toMillis()) * share));
    }
}
