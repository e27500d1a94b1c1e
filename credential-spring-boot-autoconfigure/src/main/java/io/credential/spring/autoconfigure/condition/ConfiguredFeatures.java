package io.credential.spring.autoconfigure.condition;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Reads from the environment which features are configured, before the properties are bound and validated. */
final class ConfiguredFeatures {

    static final String REGISTRIES = "credential.api-keys.registries";
    static final String SIGNERS = "credential.webhook.signers";
    static final String INBOUND = "credential.webhook.inbound";

    static final String DISPATCHER = "credential.webhook.dispatcher";
    static final String OPERATIONAL_EVENTS = DISPATCHER + ".operational-events.enabled";
    static final String AUDIT_LOG = "credential.audit.jdbc.enabled";

    /** Setting any property of these groups means that storage is required. */
    private static final List<String> STORAGE_GROUPS =
            List.of("credential.storage", "credential.keyring", "credential.seal", "credential.cluster", DISPATCHER);

    static final String MODE = "credential.mode";

    private final Binder binder;

    ConfiguredFeatures(Environment environment) {
        this.binder = Binder.get(environment);
    }

    /** Returns the keys of a map. */
    Set<String> names(String property) {
        return binder.bind(property, Bindable.mapOf(String.class, Object.class))
                .map(Map::keySet)
                .orElseGet(Set::of);
    }

    /** Returns whether an incoming webhook stores its nonces in the database. */
    boolean storesNonces() {
        return names(INBOUND).stream()
                .anyMatch(name -> binder.bind(INBOUND + "." + name + ".nonce-store", Bindable.of(String.class))
                        .map("jdbc"::equalsIgnoreCase)
                        .orElse(false));
    }

    /** Returns the mode in lower case, even if it is unknown. */
    String mode() {
        return binder.bind(MODE, Bindable.of(String.class)).orElse("single").toLowerCase(Locale.ROOT);
    }

    boolean enablesDispatcher() {
        return isTrue(DISPATCHER + ".enabled", true);
    }

    boolean enablesOperationalEvents() {
        return isTrue(OPERATIONAL_EVENTS, false);
    }

    boolean enablesAuditLog() {
        return isTrue(AUDIT_LOG, false);
    }

    private boolean isTrue(String property, boolean defaultValue) {
        try {
            return binder.bind(property, Bindable.of(Boolean.class)).orElse(defaultValue);
        } catch (BindException e) {
            // Reported when the properties are bound.
            return true;
        }
    }

    /** Returns a configured property that requires storage, if any. */
    Optional<String> storageProperty() {
        if (binder.bind(MODE, Bindable.of(String.class)).isBound()) {
            return Optional.of(MODE);
        }
        return STORAGE_GROUPS.stream().filter(group -> !names(group).isEmpty()).findFirst();
    }
}
