package io.credential.observation;

import io.micrometer.common.KeyValues;

import io.credential.observation.CredentialObservation.HighKey;
import io.credential.observation.CredentialObservation.LowKey;

/**
 * Names and describes {@link CredentialObservation#WEBHOOK_ATTEMPT}. Override a method to change that. Thread-safe.
 *
 * @since 0.1.0
 */
public class WebhookAttemptObservationConvention extends NamedConvention<WebhookAttemptObservationContext> {

    public WebhookAttemptObservationConvention() {
        super(WebhookAttemptObservationContext.class, "credential.webhook.attempt", "webhook attempt");
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(WebhookAttemptObservationContext context) {
        return KeyValues.of(
                LowKey.OUTCOME.withValue(context.outcome()),
                LowKey.REASON.withValue(context.reason()),
                LowKey.STATUS.withValue(context.statusClass()));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(WebhookAttemptObservationContext context) {
        return KeyValues.of(
                HighKey.DELIVERY_ID.withValue(context.deliveryId()),
                HighKey.EVENT_ID.withValue(context.eventId()),
                HighKey.ENDPOINT_ID.withValue(context.endpointId()),
                HighKey.EVENT_TYPE.withValue(context.eventType()),
                HighKey.ATTEMPT.withValue(Integer.toString(context.attempt())));
    }
}
