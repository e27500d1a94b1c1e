package io.credential.spring.autoconfigure.diagnostics.internal;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.BoundConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Warns about environment variables that are most likely meant for properties of Credential, but were not bound. Spring
 * Boot reads an underscore as a dot, and does not see a dash: {@code CREDENTIAL_API_KEYS_...} is not always {@code
 * credential.api-keys...}. Other programs may use variables with such names too, so startup does not fail.
 */
public final class IgnoredVariables implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(IgnoredVariables.class);

    private static final int MAX_LENGTH = 256;

    private final ConfigurableApplicationContext context;

    IgnoredVariables(ConfigurableApplicationContext context) {
        this.context = context;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Set<String> variables = variables();
        if (!variables.isEmpty()) {
            variables.removeAll(bound());
        }
        if (!variables.isEmpty()) {
            warn(variables);
        }
    }

    private static void warn(Set<String> variables) {
        KnownVariables known = new KnownVariables(new KnownProperties().names());
        for (String variable : variables) {
            known.nearest(variable)
                    .filter(right -> !right.equals(variable))
                    .ifPresent(right -> LOG.warn(
                            "The environment variable {} is ignored, because no property has this name; use {}. In variables,"
                                    + " leave out the dashes of a property, and write an underscore for each dot.",
                            variable,
                            right));
        }
    }

    private Set<String> variables() {
        return context.getEnvironment().getPropertySources().stream()
                .filter(SystemEnvironmentPropertySource.class::isInstance)
                .flatMap(source -> ((SystemEnvironmentPropertySource) source).getSource().keySet().stream())
                .filter(name -> name.length() <= MAX_LENGTH)
                .filter(name -> name.toUpperCase(Locale.ROOT).startsWith(KnownVariables.PREFIX))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> bound() {
        @Nullable BoundConfigurationProperties bound = BoundConfigurationProperties.get(context);
        Map<?, ConfigurationProperty> properties = bound == null ? Map.of() : bound.getAll();
        return properties.values().stream()
                .map(property -> nameInSource(property.getOrigin()))
                .collect(Collectors.toSet());
    }

    private static String nameInSource(@Nullable Origin origin) {
        return origin instanceof PropertySourceOrigin inSource ? inSource.getPropertyName() : "";
    }
}
