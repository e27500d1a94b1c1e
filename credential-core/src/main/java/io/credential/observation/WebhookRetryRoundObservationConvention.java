package io.credential.observation;

import io.micrometer.common.KeyValues;

import io.credential.observation.CredentialObservation.HighKey;
import io.credential.observation.CredentialObservation.LowKey;

/**
 * Names and describes {@link CredentialObservation#WEBHOOK_RETRY_ROUND}. Override a method to change that. Thread-safe.
 *
 * @since 0.1.0
 */
public class WebhookRetryRoundObservationConvention extends NamedConvention<WebhookRetryRoundObservationContext> {

    public WebhookRetryRoundObservationConvention() {
        super(WebhookRetryRoundObservationContext.class, "credential.webhook.retry-round", "webhook retry round");
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
