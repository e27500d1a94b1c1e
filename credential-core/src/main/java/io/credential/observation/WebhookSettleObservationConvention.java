package io.credential.observation;

import io.micrometer.common.KeyValues;

import io.credential.observation.CredentialObservation.HighKey;
import io.credential.observation.CredentialObservation.LowKey;

/**
 * Names and describes {@link CredentialObservation#WEBHOOK_SETTLE}. Override a method to change that. Thread-safe.
 *
 * @since 0.1.0
 */
public class WebhookSettleObservationConvention extends NamedConvention<WebhookSettleObservationContext> {

    public WebhookSettleObservationConvention() {
        super(WebhookSettleObservationContext.class, "credential.webhook.settle", "webhook settle");
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(WebhookSettleObservationContext context) {
        return KeyValues.of(LowKey.OUTCOME.withValue(context.outcome()));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(WebhookSettleObservationContext context) {
        return KeyValues.of(HighKey.DELIVERIES.withValue(Integer.toString(context.deliveries())));
    }
}
