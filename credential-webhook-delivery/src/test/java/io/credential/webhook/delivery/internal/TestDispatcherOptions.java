package io.credential.webhook.delivery.internal;

import java.time.Duration;

import io.credential.webhook.delivery.RetryBackoff;

/** Checked options, for tests of the parts of a dispatcher. */
public final class TestDispatcherOptions {

    private TestDispatcherOptions() {}

    public static DispatcherOptions of(JdbcWebhookDispatcherBuilder builder) {
        return builder.options();
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
                Duration.ofHours(24),
                RequestHeaders.defaults());
    }
}
