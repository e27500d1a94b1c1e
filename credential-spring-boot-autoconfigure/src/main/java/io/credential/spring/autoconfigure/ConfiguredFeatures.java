package io.credential.spring.autoconfigure;

import java.util.Map;
import java.util.Set;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Looks at the names of properties only: the values are bound, and refused, later and once. */
final class ConfiguredFeatures {

    static final String REGISTRIES = "credential.api-keys.registries";
    static final String SIGNERS = "credential.webhook.signers";
    static final String INBOUND = "credential.webhook.inbound";

    private final Binder binder;

    ConfiguredFeatures(Environment environment) {
        this.binder = Binder.get(environment);
    }

    /** The names of the entries of a map. */
    Set<String> names(String property) {
        return binder.bind(property, Bindable.mapOf(String.class, Object.class))
                .map(Map::keySet)
                .orElseGet(Set::of);
    }

    /** The incoming webhooks whose nonces are kept in the database. */
    boolean storesNonces() {
        return names(INBOUND).stream()
                .anyMatch(name -> binder.bind(INBOUND + "." + name + ".nonce-store", Bindable.of(String.class))
                        .map("jdbc"::equalsIgnoreCase)
                        .orElse(false));
    }
}
