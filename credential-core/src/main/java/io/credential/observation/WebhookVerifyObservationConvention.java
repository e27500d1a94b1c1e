package io.credential.observation;

import io.micrometer.common.KeyValues;

import io.credential.observation.CredentialObservation.LowKey;

/**
 * Names and describes {@link CredentialObservation#WEBHOOK_VERIFY}. Override a method to change that. Thread-safe.
 *
 * @since 0.1.0
 */
public class WebhookVerifyObservationConvention extends NamedConvention<WebhookVerifyObservationContext> {

    public WebhookVerifyObservationConvention() {
        super(WebhookVerifyObservationContext.class, "credential.webhook.verify", "webhook verify");
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(WebhookVerifyObservationContext context) {
        return KeyValues.of(
                LowKey.VERIFIER.withValue(context.verifier()),
                LowKey.ALGORITHM.withValue(context.algorithm()),
                LowKey.OUTCOME.withValue(context.outcome()),
                LowKey.REASON.withValue(context.reason()));
    }
}
