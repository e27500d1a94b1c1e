package io.credential.spring.autoconfigure.diagnostics.internal;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.convert.ConversionFailedException;

/** Explains which value cannot be converted, and what to write instead. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class InvalidPropertyFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
        if (!CredentialNames.includes(cause.getName())
                || findCause(cause, InvalidConfigurationPropertyValueException.class) != null) {
            return null;
        }
        ConfigurationProperty property = cause.getProperty();
        String where = property == null ? "" : CredentialNames.origin(property.getOrigin());
        // The value is left out: text in the wrong place may be a secret.
        String description = "The configuration property '" + (property == null ? cause.getName() : property.getName())
                + "'" + where + " must be "
                + expected(cause.getTarget().getType().toClass()) + ".";
        return new FailureAnalysis(description, remedy(cause), cause);
    }

    private String remedy(BindException cause) {
        ConversionFailedException failure = findCause(cause, ConversionFailedException.class);
        Object[] constants =
                failure == null ? null : failure.getTargetType().getType().getEnumConstants();
        if (constants != null) {
            return "Write one of: "
                    + Arrays.stream(constants)
                            .map(constant -> ((Enum<?>) constant)
                                    .name()
                                    .toLowerCase(Locale.ROOT)
                                    .replace('_', '-'))
                            .collect(Collectors.joining(", "))
                    + ".";
        }
        if (isGroup(cause.getTarget().getType().toClass())) {
            return "Set properties below '" + cause.getName() + "' instead.";
        }
        return "Correct the value.";
    }

    /** Conditions read a group as a map. */
    private static boolean isGroup(Class<?> type) {
        return type.isRecord() || type == Map.class;
    }

    private static String expected(Class<?> type) {
        return switch (type.getSimpleName()) {
            case "Duration" -> "a duration, such as '10s' or '1h'";
            case "DataSize" -> "a size, such as '19456KB'";
            case "int", "Integer" -> "a whole number";
            case "double", "Double" -> "a number";
            case "boolean", "Boolean" -> "'true' or 'false'";
            case "WebhookKey" -> "text, so a number must be in quotes";
            default -> isGroup(type) ? "a group of properties" : "a valid " + type.getSimpleName();
        };
    }
}
