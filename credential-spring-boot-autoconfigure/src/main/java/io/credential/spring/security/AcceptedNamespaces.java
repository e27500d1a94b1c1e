package io.credential.spring.security;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.spring.security.internal.ApiKeySecuritySettings;

/**
 * Determines whose keys a chain accepts: those that the chain names, or else the property, or else the only registry.
 */
final class AcceptedNamespaces {

    private static final String PROPERTY = "credential.api-keys.accept";

    private AcceptedNamespaces() {}

    static Set<String> of(List<String> namedByChain, ApiKeySecuritySettings settings, ApiKeyRegistries registries) {
        if (!namedByChain.isEmpty()) {
            requireAll(namedByChain, settings, registries);
            return new TreeSet<>(namedByChain);
        }
        if (!settings.accept().isEmpty()) {
            try {
                requireAll(settings.accept(), settings, registries);
            } catch (IllegalArgumentException unknown) {
                throw new InvalidConfigurationPropertyValueException(PROPERTY, settings.accept(), unknown.getMessage());
            }
            return new TreeSet<>(settings.accept());
        }
        return onlyRegistry(settings, registries);
    }

    private static Set<String> onlyRegistry(ApiKeySecuritySettings settings, ApiKeyRegistries registries) {
        Set<String> known = new TreeSet<>(settings.configured());
        for (ApiKeyRegistry registry : registries.all()) {
            known.add(registry.namespace());
        }
        if (known.isEmpty()) {
            throw new IllegalStateException("A chain accepts API keys, but no registry is configured;"
                    + " configure one with credential.api-keys.registries.<namespace>.prefix");
        }
        if (known.size() > 1) {
            throw new InvalidConfigurationPropertyValueException(
                    PROPERTY,
                    settings.accept(),
                    "There are several API-key registries (" + String.join(", ", known)
                            + "). Name those whose keys are accepted, or use"
                            + " http.with(ApiKeyConfigurer.apiKeys(), c -> c.registries(..)) in each security chain.");
        }
        return known;
    }

    private static void requireAll(
            Collection<String> namespaces, ApiKeySecuritySettings settings, ApiKeyRegistries registries) {
        for (String namespace : namespaces) {
            if (settings.configured().contains(namespace)) {
                continue;
            }
            try {
                registries.get(namespace);
            } catch (ApiKeyException unknown) {
                throw new IllegalArgumentException(
                        "No API-key registry has the namespace '" + namespace
                                + "'; configure it with credential.api-keys.registries." + namespace + ".prefix",
                        unknown);
            }
        }
    }
}
