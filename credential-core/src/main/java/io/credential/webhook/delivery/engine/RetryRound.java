package io.credential.webhook.delivery.engine;

import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import io.micrometer.observation.ObservationRegistry;

import io.credential.observation.CredentialObservation;
import io.credential.observation.GuardedObservation;
import io.credential.observation.WebhookRetryRoundObservationContext;
import io.credential.observation.WebhookRetryRoundObservationConvention;

/** Observes rounds that take due deliveries. */
final class RetryRound {

    private static final WebhookRetryRoundObservationConvention OBSERVATION_CONVENTION =
            new WebhookRetryRoundObservationConvention();

    private RetryRound() {}

    /**
     * @param trigger {@code background} or {@code call}
     * @param deliveries returns how many deliveries a round was for
     */
    static <T> T observe(
            ObservationRegistry observations, String trigger, Supplier<T> round, ToIntFunction<T> deliveries) {
        if (observations.isNoop()) {
            return round.get();
        }
        GuardedObservation<WebhookRetryRoundObservationContext> observation = GuardedObservation.startInScope(
                CredentialObservation.WEBHOOK_RETRY_ROUND,
                OBSERVATION_CONVENTION,
                new WebhookRetryRoundObservationContext(trigger),
                observations);
        try {
            T result = round.get();
            observation.context().succeeded(deliveries.applyAsInt(result));
            return result;
        } catch (RuntimeException | Error e) {
            observation.context().failed();
            observation.error(e);
            throw e;
        } finally {
            observation.stop();
        }
    }
}
