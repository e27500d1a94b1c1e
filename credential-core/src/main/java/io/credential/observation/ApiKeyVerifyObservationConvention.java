package io.credential.observation;

import io.micrometer.common.KeyValues;

import io.credential.observation.CredentialObservation.LowKey;

/**
 * Names and describes {@link CredentialObservation#API_KEY_VERIFY}. Override a method to change that. Thread-safe.
 *
 * @since 0.1.0
 */
public class ApiKeyVerifyObservationConvention extends NamedConvention<ApiKeyVerifyObservationContext> {

    public ApiKeyVerifyObservationConvention() {
        super(ApiKeyVerifyObservationContext.class, "credential.apikey.verify", "api key verify");
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(ApiKeyVerifyObservationContext context) {
        return KeyValues.of(
                LowKey.NAMESPACE.withValue(context.namespace()),
                LowKey.OUTCOME.withValue(context.outcome()),
                LowKey.REASON.withValue(context.reason()));
    }
}
