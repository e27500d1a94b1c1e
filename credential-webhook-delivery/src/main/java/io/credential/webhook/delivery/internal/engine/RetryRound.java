package io.credential.webhook.delivery.internal.engine;

import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import io.micrometer.observation.ObservationRegistry;

import io.credential.observation.CredentialObservation;
import io.credential.observation.WebhookRetryRoundObservationContext;
import io.credential.observation.WebhookRetryRoundObservationConvention;
import io.credential.observation.internal.GuardedObservation;

/**
 * Observes rounds that take due deliveries.
 *
 * @param trigger {@code background} or {@code call}
 */
record RetryRound(ObservationRegistry observations, String trigger) {

    /** For rounds within another one. */
    static final RetryRound UNOBSERVED = new RetryRound(ObservationRegistry.NOOP, "call");

    private static final WebhookRetryRoundObservationConvention OBSERVATION_CONVENTION =
            new WebhookRetryRoundObservationConvention();

    /** @param deliveries returns how many deliveries a round was for */
    <T> T observe(Supplier<T> round, ToIntFunction<T> deliveries) {
        return start().run(
                        context -> {
                            T result = round.get();
                            context.succeeded(deliveries.applyAsInt(result));
                            return result;
                        },
                        RetryRound::failed);
    }

    /** Observes a round that failed before it could take deliveries. */
    void failed(Throwable failure) {
        GuardedObservation<WebhookRetryRoundObservationContext> observation = start();
        failed(observation, failure);
        observation.stop();
    }

    private static void failed(GuardedObservation<WebhookRetryRoundObservationContext> observation, Throwable failure) {
        observation.context().failed();
        observation.error(failure);
    }

    private GuardedObservation<WebhookRetryRoundObservationContext> start() {
        return GuardedObservation.startInScope(
                CredentialObservation.WEBHOOK_RETRY_ROUND,
                OBSERVATION_CONVENTION,
                new WebhookRetryRoundObservationContext(trigger),
                observations);
    }
}
