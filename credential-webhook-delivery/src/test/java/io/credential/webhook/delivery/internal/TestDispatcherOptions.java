package io.credential.webhook.delivery.internal;

import java.time.Duration;

import io.credential.webhook.delivery.RetryBackoff;
import io.credential.webhook.delivery.internal.queue.DispatcherTiming;

/** Checked options, for tests of the parts of a dispatcher. */
public final class TestDispatcherOptions {

    private static final DispatcherTiming HURRIED = new DispatcherTiming(Duration.ofMillis(100));

    private TestDispatcherOptions() {}

    public static DispatcherOptions of(JdbcWebhookDispatcherBuilder builder) {
        return builder.options();
    }

    /** With short pauses between what a node repeats, for tests that wait for it. */
    public static JdbcWebhookDispatcherBuilder hurried(JdbcWebhookDispatcherBuilder builder) {
        builder.timing = HURRIED;
        return builder;
    }

    /** The defaults, but for what there is room for. */
    public static DispatcherOptions withCapacity(
            int batchSize, int maxInFlight, int maxInFlightPerEndpoint, long maxInFlightBytes) {
        return new DispatcherOptions(
                8,
                RetryBackoff.defaults(),
                Duration.ofMinutes(5),
                batchSize,
                Duration.ofSeconds(15),
                Duration.ofSeconds(2),
                maxInFlight,
                maxInFlightPerEndpoint,
                maxInFlightBytes,
                1024 * 1024,
                false,
                Duration.ofDays(30),
                Duration.ZERO,
                Duration.ofDays(5),
                Duration.ofHours(24));
    }
}
