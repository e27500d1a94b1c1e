package io.credential.spring.autoconfigure.internal.condition;

import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;

import io.credential.spring.autoconfigure.diagnostics.internal.Library;
import io.credential.spring.autoconfigure.properties.CredentialProperties.Mode;
import io.credential.spring.autoconfigure.properties.WebhookProperties.NonceStoreKind;

/** Reads from the environment which features are configured, before the properties are bound and validated. */
final class ConfiguredFeatures {

    static final String REGISTRIES = "credential.api-keys.registries";
    static final String LEAK_REPORTS = "credential.api-keys.leak-reports.enabled";
    static final String USAGE_ENABLED = "credential.api-keys.usage.enabled";
    static final String SIGNERS = "credential.webhook.signers";
    static final String INBOUND = "credential.webhook.inbound";

    private static final String DISPATCHER = "credential.webhook.dispatcher";
    static final String DISPATCHER_ENABLED = DISPATCHER + ".enabled";
    static final String OPERATIONAL_EVENTS = DISPATCHER + ".operational-events.enabled";
    static final String AUDIT_LOG = "credential.audit.jdbc.enabled";

    static final String INBOX_ENABLED = "credential.webhook.inbox.enabled";

    static final String CONSOLE_ENABLED = "credential.console.enabled";

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
        return anySender(sender -> sender.nonceStore() == NonceStoreKind.JDBC);
    }

    private boolean anySender(Predicate<Inbound> condition) {
        // Binds the senders as a map, whose keys may be names that are invalid within the name of a property.
        return matches(
                INBOUND,
                Bindable.mapOf(String.class, Inbound.class),
                Map.of(),
                senders -> senders.values().stream().anyMatch(condition));
    }

    /** The part of an incoming webhook that is read here. If it were private, its constructor would not be bound. */
    record Inbound(
            @Nullable NonceStoreKind nonceStore,
            @DefaultValue("false") boolean storeFirst) {}

    /** Returns whether a registry tells owners about their keys. */
    boolean notifiesOwners() {
        return matches(
                REGISTRIES,
                Bindable.mapOf(String.class, Registry.class),
                Map.of(),
                registries -> registries.values().stream().anyMatch(Registry::notifyOwners));
    }

    /** The part of a registry that is read here. If it were private, its constructor would not be bound. */
    record Registry(@DefaultValue("false") boolean notifyOwners) {}

    boolean hasMode(Mode mode) {
        return matches(MODE, Bindable.of(Mode.class), Mode.SINGLE, mode::equals);
    }

    boolean enablesDispatcher() {
        return Library.DISPATCHER.isPresent() && isTrue(DISPATCHER_ENABLED, true);
    }

    boolean enablesInbox() {
        return Library.INBOX.isPresent() && (isTrue(INBOX_ENABLED, false) || anySender(Inbound::storeFirst));
    }

    boolean enablesOperationalEvents() {
        return isTrue(OPERATIONAL_EVENTS, false);
    }

    boolean receivesLeakReports() {
        return isTrue(LEAK_REPORTS, false);
    }

    boolean enablesUsage() {
        return !names(REGISTRIES).isEmpty() && isTrue(USAGE_ENABLED, false);
    }

    boolean enablesAuditLog() {
        return isTrue(AUDIT_LOG, false);
    }

    boolean enablesConsole() {
        return Library.CONSOLE.isPresent() && isTrue(CONSOLE_ENABLED, false);
    }

    private boolean isTrue(String property, boolean defaultValue) {
        return matches(property, Bindable.of(Boolean.class), defaultValue, value -> value);
    }

    /** Returns whether the value matches; false if it is invalid, which is reported when the properties are bound. */
    private <T> boolean matches(String property, Bindable<T> type, T defaultValue, Predicate<T> condition) {
        try {
            return condition.test(binder.bind(property, type).orElse(defaultValue));
        } catch (BindException e) {
            return false;
        }
    }
}
