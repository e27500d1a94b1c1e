package io.credential.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;

import io.credential.observation.CredentialObservation.LowKey;

/**
 * Names and describes {@link CredentialObservation#API_KEY_VERIFY}. Override a method to change that. Thread-safe.
 *
 * @since 0.1.0
 */
public class ApiKeyVerifyObservationConvention implements GlobalObservationConvention<ApiKeyVerifyObservationContext> {

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof ApiKeyVerifyObservationContext;
    }

    @Override
    public String getName() {
        return "credential.apikey.verify";
    }

    @Override
    public String getContextualName(ApiKeyVerifyObservationContext context) {
        return "api key verify";
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(ApiKeyVerifyObservationContext context) {
        return KeyValues.of(
                LowKey.NAMESPACE.withValue(context.namespace()),
                LowKey.OUTCOME.withValue(context.outcome()),
                LowKey.REASON.withValue(context.reason()));
    }
}
