package io.credential.spring.autoconfigure.apikeys;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.apikey.ApiKey;
import io.credential.spring.autoconfigure.properties.ApiKeyRegistryProperties;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.OperationalEvent;

/** Addresses operational events about keys to the owners of the keys, in the registries that are configured so. Thread-safe. */
final class OwnerEvents {

    private static final Logger LOG = LoggerFactory.getLogger(OwnerEvents.class);

    private final Set<String> namespaces;
    private final ApiKeyOwnerAudience audiences;
    private final AtomicBoolean warned = new AtomicBoolean();

    OwnerEvents(Map<String, ApiKeyRegistryProperties> registries, ApiKeyOwnerAudience audiences) {
        this.namespaces = registries.entrySet().stream()
                .filter(registry -> registry.getValue().notifyOwners())
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
        this.audiences = audiences;
    }

    /** Returns whether the owners of keys in this namespace are told. */
    boolean include(String namespace) {
        return namespaces.contains(namespace);
    }

    /**
     * Returns an event for operators, and the same one for the owner of the key that it is about, unless the owner is not told.
     *
     * @param failures gets what the bean of the application throws, so that other keys are reported nevertheless
     */
    Stream<OperationalEvent> withOwner(ApiKey key, OperationalEvent event, Collection<RuntimeException> failures) {
        return Stream.concat(Stream.of(event), forOwner(key, event, failures).stream());
    }

    private Optional<OperationalEvent> forOwner(
            ApiKey key, OperationalEvent event, Collection<RuntimeException> failures) {
        if (!include(key.namespace())) {
            return Optional.empty();
        }
        try {
            return audiences
                    .audienceOf(key)
                    .filter(audience -> isUsable(audience, key))
                    .map(event::forAudience);
        } catch (RuntimeException e) {
            failures.add(new IllegalStateException(
                    "The bean of type ApiKeyOwnerAudience failed for API key " + key.id() + "; its owner was not told",
                    e));
            return Optional.empty();
        }
    }

    /** Logs only the first one: a registry can have many such owners. Their ids are sealed at rest, so they are not logged. */
    private boolean isUsable(String audience, ApiKey key) {
        boolean usable = DispatcherRules.isName(audience);
        if (!usable && warned.compareAndSet(false, true)) {
            LOG.warn(
                    "The owner of API key {} is not told of events, and other owners may not be either: the audience of the"
                            + " owner is not 1 to 255 of A-Z, a-z, 0-9 and . _ : -. Define a bean of type"
                            + " ApiKeyOwnerAudience that returns a valid audience, or empty",
                    key.id());
        }
        return usable;
    }
}
