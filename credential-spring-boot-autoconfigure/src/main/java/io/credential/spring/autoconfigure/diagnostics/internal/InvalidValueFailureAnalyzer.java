package io.credential.spring.autoconfigure.diagnostics.internal;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Explains which value is invalid, why, and what to write instead. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class InvalidValueFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationPropertyValueException> {

    @Override
    protected @Nullable FailureAnalysis analyze(
            Throwable rootFailure, InvalidConfigurationPropertyValueException cause) {
        // Adapted, because it may contain a name that the user has chosen.
        if (!CredentialNames.includes(ConfigurationPropertyName.adapt(cause.getName(), '.'))) {
            return null;
        }
        return new FailureAnalysis(
                "The configuration property '" + cause.getName() + "' has the invalid value '" + cause.getValue()
                        + "'.",
                cause.getReason(),
                cause);
    }
}
