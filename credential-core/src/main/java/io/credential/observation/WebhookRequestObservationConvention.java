package io.credential.observation;

import io.micrometer.common.KeyValues;

import io.credential.observation.CredentialObservation.LowKey;

/**
 * Names and describes {@link CredentialObservation#WEBHOOK_REQUEST}. Override a method to change that. Thread-safe.
 *
 * @since 0.1.0
 */
public class WebhookRequestObservationConvention extends NamedConvention<WebhookRequestObservationContext> {

    public WebhookRequestObservationConvention() {
        super(WebhookRequestObservationContext.class, "credential.webhook.request", "webhook request");
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(WebhookRequestObservationContext context) {
        return KeyValues.of(
                LowKey.OUTCOME.withValue(context.outcome()), LowKey.STATUS.withValue(context.statusClass()));
    }
}
