package io.credential.webhook.delivery.internal.engine;

import java.time.Duration;
import java.time.InstantSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;

/**
 * Logs when an endpoint starts to fail and when it has recovered, and nothing in between. If an endpoint
 * alternates, each of the two messages is logged at most once a minute. Thread-safe.
 */
final class EndpointHealthReporter {

    private static final Logger LOG = LoggerFactory.getLogger(EndpointHealthReporter.class);

    private static final int MAX_ENDPOINTS = 10_000;
    private static final long QUIET_MILLIS = Duration.ofMinutes(1).toMillis();

    private final InstantSource clock;
    private final Cache<String, State> states =
            Caffeine.newBuilder().maximumSize(MAX_ENDPOINTS).build();

    EndpointHealthReporter(InstantSource clock) {
        this.clock = clock;
    }

    /** @param loggedAt when the last message about the endpoint was logged, in Unix milliseconds */
    private record State(boolean failing, long loggedAt) {}

    /** Takes the outcome of an attempt into account. */
    void attempted(ClaimedDelivery delivery, @Nullable String error) {
        String endpointId = delivery.endpointId();
        if (error == null) {
            // Most endpoints never fail; they need no entry.
            if (states.getIfPresent(endpointId) != null) {
                states.asMap().computeIfPresent(endpointId, this::succeeded);
            }
        } else {
            states.asMap().compute(endpointId, (id, state) -> failed(id, state, delivery, error));
        }
    }

    private State succeeded(String endpointId, State state) {
        if (!state.failing()) {
            return state;
        }
        LOG.info("Webhooks to the endpoint {} are accepted again", endpointId);
        return new State(false, clock.millis());
    }

    private State failed(String endpointId, @Nullable State state, ClaimedDelivery delivery, String error) {
        long now = clock.millis();
        if (state != null && (state.failing() || now - state.loggedAt() < QUIET_MILLIS)) {
            return state;
        }
        LOG.warn(
                "Webhooks to the endpoint {} fail: {} (delivery {}). Further failures are not logged until a webhook is accepted",
                endpointId,
                error.replaceAll("\\p{Cntrl}", " "),
                delivery.deliveryId());
        return new State(true, now);
    }
}
