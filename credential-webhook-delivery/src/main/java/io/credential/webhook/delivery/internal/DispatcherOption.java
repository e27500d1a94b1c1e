package io.credential.webhook.delivery.internal;

import java.time.Duration;
import java.util.function.Predicate;

import io.credential.webhook.delivery.WebhookDispatcherException;

/**
 * An option of a dispatcher, for its builder and for configuration properties.
 *
 * @param name its name in the builder
 * @param accepts which values are valid
 * @param rule the same in words, which follow "must be"
 */
public record DispatcherOption<T>(String name, T defaultValue, Predicate<T> accepts, String rule) {

    public static final DispatcherOption<Integer> MAX_ATTEMPTS = number("maxAttempts", 8, 1000);
    public static final DispatcherOption<Duration> CLAIM_RECLAIM_AFTER =
            duration("claimReclaimAfter", Duration.ofMinutes(5), Duration.ofDays(7));
    public static final DispatcherOption<Integer> BATCH_SIZE = number("batchSize", 100, 1000);

    /** With a shorter one, a busy node might never have time left to send a request. */
    public static final DispatcherOption<Duration> REQUEST_TIMEOUT =
            duration("requestTimeout", Duration.ofSeconds(15), Duration.ofMillis(100), Duration.ofHours(1));

    public static final DispatcherOption<Duration> DISPATCH_WAIT =
            duration("dispatchWait", Duration.ofSeconds(2), Duration.ofHours(1));
    public static final DispatcherOption<Integer> MAX_IN_FLIGHT = number("maxInFlight", 256, 10_000);
    public static final DispatcherOption<Integer> MAX_IN_FLIGHT_PER_ENDPOINT =
            number("maxInFlightPerEndpoint", 16, 10_000);
    public static final DispatcherOption<Long> MAX_IN_FLIGHT_BYTES =
            new DispatcherOption<>("maxInFlightBytes", 64L * 1024 * 1024, bytes -> bytes >= 1, "at least 1B");
    public static final DispatcherOption<Integer> MAX_PAYLOAD_SIZE =
            new DispatcherOption<>("maxPayloadSize", 1024 * 1024, bytes -> bytes >= 1, "at least 1B");
    public static final DispatcherOption<Duration> RETENTION =
            duration("retention", Duration.ofDays(30), Duration.ofDays(36_500));
    public static final DispatcherOption<Duration> PAYLOAD_RETENTION = orZero(
            duration("payloadRetention", Duration.ZERO, Duration.ofDays(36_500)),
            "to keep payloads as long as their delivery");
    public static final DispatcherOption<Duration> PAUSE_AFTER = orZero(
            duration("pauseAfter", Duration.ofDays(5), Duration.ofMinutes(1), Duration.ofDays(365)),
            "to never pause an endpoint because it fails");
    public static final DispatcherOption<Duration> SECRET_OVERLAP =
            duration("secretOverlap", Duration.ofHours(24), Duration.ZERO, Duration.ofDays(7));
    public static final DispatcherOption<Duration> BACKOFF_INITIAL =
            duration("retryBackoff.initial", Duration.ofSeconds(5), Duration.ofDays(365));
    public static final DispatcherOption<Duration> BACKOFF_MAX =
            duration("retryBackoff.max", Duration.ofMinutes(60), Duration.ofDays(365));
    public static final DispatcherOption<Double> BACKOFF_FACTOR =
            new DispatcherOption<>("retryBackoff.factor", 2.0, factor -> factor >= 1 && factor <= 100, "1 to 100");
    public static final DispatcherOption<Double> BACKOFF_JITTER =
            new DispatcherOption<>("retryBackoff.jitter", 0.1, jitter -> jitter >= 0 && jitter <= 1, "0 to 1");

    /** @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the value is not accepted */
    public void require(T value) {
        DispatcherRules.requireThat(accepts.test(value), name + " must be " + rule + ", not " + value);
    }

    private static DispatcherOption<Integer> number(String name, int defaultValue, int most) {
        return new DispatcherOption<>(name, defaultValue, number -> number >= 1 && number <= most, "1 to " + most);
    }

    private static DispatcherOption<Duration> duration(String name, Duration defaultValue, Duration longest) {
        return duration(name, defaultValue, Duration.ofMillis(1), longest);
    }

    private static DispatcherOption<Duration> duration(
            String name, Duration defaultValue, Duration shortest, Duration longest) {
        return new DispatcherOption<>(
                name,
                defaultValue,
                duration -> duration.compareTo(shortest) >= 0 && duration.compareTo(longest) <= 0,
                text(shortest) + " to " + text(longest));
    }

    private static DispatcherOption<Duration> orZero(DispatcherOption<Duration> option, String effect) {
        return new DispatcherOption<>(
                option.name,
                option.defaultValue,
                duration -> duration.isZero() || option.accepts.test(duration),
                option.rule + ", or 0 " + effect);
    }

    private static String text(Duration duration) {
        if (duration.isZero()) {
            return "0";
        }
        if (duration.toDays() > 0) {
            return duration.toDays() + "d";
        }
        if (duration.toHours() > 0) {
            return duration.toHours() + "h";
        }
        return duration.toMinutes() > 0 ? duration.toMinutes() + "m" : duration.toMillis() + "ms";
    }
}
