package io.credential.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;

import io.credential.observation.CredentialObservation.HighKey;
import io.credential.observation.CredentialObservation.LowKey;

/**
 * Names and describes {@link CredentialObservation#WEBHOOK_RETRY_ROUND}. Override a method to change that. Thread-safe.
 *
 * @since 0.1.0
 */
public class WebhookRetryRoundObservationConvention
        implements GlobalObservationConvention<WebhookRetryRoundObservationContext> {

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof WebhookRetryRoundObservationContext;
    }

    @Override
    public String getName() {
        return "credential.webhook.retry-round";
    }

    @Override
    public String getContextualName(WebhookRetryRoundObservationContext context) {
        return "webhook retry round";
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(WebhookRetryRoundObservationContext context) {
        return KeyValues.of(LowKey.TRIGGER.withValue(context.trigger()), LowKey.OUTCOME.withValue(context.outcome()));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(WebhookRetryRoundObservationContext context) {
        return KeyValues.of(HighKey.DELIVERIES.withValue(Integer.toString(context.deliveries())));
    }
}
