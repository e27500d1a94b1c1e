package io.credential.observation;

import io.micrometer.common.KeyValues;

import io.credential.observation.CredentialObservation.HighKey;
import io.credential.observation.CredentialObservation.LowKey;

/**
 * Names and describes {@link CredentialObservation#WEBHOOK_DISPATCH}. Override a method to change that. Thread-safe.
 *
 * @since 0.1.0
 */
public class WebhookDispatchObservationConvention extends NamedConvention<WebhookDispatchObservationContext> {

    public WebhookDispatchObservationConvention() {
        super(WebhookDispatchObservationContext.class, "credential.webhook.dispatch", "webhook dispatch");
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(WebhookDispatchObservationContext context) {
        return KeyValues.of(
                LowKey.OPERATION.withValue(context.operation()),
                LowKey.OUTCOME.withValue(context.outcome()),
                LowKey.REASON.withValue(context.reason()));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(WebhookDispatchObservationContext context) {
        return KeyValues.of(HighKey.EVENT_TYPE.withValue(context.eventType()));
    }
}
