package io.credential.spring.autoconfigure.diagnostics.internal;

import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Names each unknown property and a similar known one. Runs before Spring Boot's analyzer, which prints the value: the
 * value of a misspelled property may be a secret.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnknownPropertyFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnboundConfigurationPropertiesException cause) {
        List<ConfigurationProperty> unknown = cause.getUnboundProperties().stream()
                .filter(property -> CredentialNames.includes(property.getName()))
                .toList();
        if (unknown.isEmpty()) {
            return null;
        }
        KnownProperties known = new KnownProperties();
        String description = unknown.stream()
                .map(UnknownPropertyFailureAnalyzer::describe)
                .collect(Collectors.joining(System.lineSeparator()));
        String action = unknown.stream()
                .map(property -> advise(property, known))
                .collect(Collectors.joining(System.lineSeparator()));
        return new FailureAnalysis(description, action, cause);
    }

    private static String describe(ConfigurationProperty property) {
        return "The configuration property '" + property.getName() + "' is not known"
                + CredentialNames.origin(property.getOrigin()) + ".";
    }

    private static String advise(ConfigurationProperty property, KnownProperties known) {
        return known.nearest(property.getName())
                .map(name -> "Did you mean '" + name + "'? Correct or remove '" + property.getName() + "'.")
                .orElseGet(() -> "Remove '" + property.getName() + "'.");
    }
}
