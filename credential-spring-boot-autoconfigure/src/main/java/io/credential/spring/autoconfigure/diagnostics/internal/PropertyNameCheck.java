package io.credential.spring.autoconfigure.diagnostics.internal;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.env.ConfigurableEnvironment;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;

/**
 * Fails startup if a property is unknown or belongs to a library that is not on the class path. Unknown environment
 * variables and system properties are ignored, because other programs share them. Runs before beans are created, so that
 * nothing has been changed in a database.
 */
public final class PropertyNameCheck implements BeanFactoryPostProcessor, PriorityOrdered {

    private final ConfigurableEnvironment environment;

    public PropertyNameCheck(ConfigurableEnvironment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        List<Library> missing = Arrays.stream(Library.values())
                .filter(library -> !library.isPresent())
                .toList();
        properties(source -> true)
                .forEach(property -> missing.stream()
                        .filter(library -> library.owns(property.getName()))
                        .findFirst()
                        .ifPresent(library -> refuse(library, property)));
        KnownProperties known = new KnownProperties();
        Set<ConfigurationProperty> unknown = new LinkedHashSet<>();
        properties(new UnboundElementsSourceFilter()::apply)
                .filter(property -> !known.include(property.getName()))
                .forEach(unknown::add);
        if (!unknown.isEmpty()) {
            throw new UnboundConfigurationPropertiesException(unknown);
        }
    }

    private static void refuse(Library library, ConfigurationProperty property) {
        throw new CredentialConfigurationException(
                "The configuration property '" + property.getName() + "'" + CredentialNames.origin(property.getOrigin())
                        + " is set, but " + library.artifact() + " is not on the class path.",
                library.remedy());
    }

    private Stream<ConfigurationProperty> properties(Predicate<ConfigurationPropertySource> filter) {
        return StreamSupport.stream(
                        ConfigurationPropertySources.get(environment).spliterator(), false)
                .filter(filter)
                .filter(IterableConfigurationPropertySource.class::isInstance)
                .map(IterableConfigurationPropertySource.class::cast)
                .flatMap(source -> source.stream()
                        .filter(CredentialNames::includes)
                        .flatMap(name -> Stream.ofNullable(source.getConfigurationProperty(name))));
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE + 1;
    }
}
