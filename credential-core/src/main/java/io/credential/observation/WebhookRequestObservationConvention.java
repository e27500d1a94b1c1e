package io.credential.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;

import io.credential.observation.CredentialObservation.LowKey;

/**
 * Names and describes {@link CredentialObservation#WEBHOOK_REQUEST}. Override a method to change that. Thread-safe.
 *
 * @since 0.1.0
 */
public class WebhookRequestObservationConvention
        implements GlobalObservationConvention<WebhookRequestObservationContext> {

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof WebhookRequestObservationContext;
    }

    @Override
    public String getName() {
        return "credential.webhook.request";
    }

    @Override
    public String getContextualName(WebhookRequestObservationContext context) {
        return "webhook request";
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(WebhookRequestObservationContext context) {
        return KeyValues.of(
                LowKey.OUTCOME.withValue(context.outcome()), LowKey.STATUS.withValue(context.statusClass()));
    }
}
