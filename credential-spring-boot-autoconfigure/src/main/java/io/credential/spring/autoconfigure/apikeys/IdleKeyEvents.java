package io.credential.spring.autoconfigure.apikeys;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.apikey.ApiKey;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.internal.OperationalEvent;

/** Raises operational events about keys that are disabled as idle, for operators and for the owners. Thread-safe. */
final class IdleKeyEvents implements IdleKeyListener {

    private static final Logger LOG = LoggerFactory.getLogger(IdleKeyEvents.class);

    private final OwnerEvents owners;
    private final Supplier<List<JdbcWebhookDispatcher>> dispatchers;

    IdleKeyEvents(OwnerEvents owners, Supplier<List<JdbcWebhookDispatcher>> dispatchers) {
        this.owners = owners;
        this.dispatchers = dispatchers;
    }

    /** The bean of the application that maps owners to audiences is not called in the transaction. */
    @Override
    public Runnable idle(ApiKey key) {
        OperationalEvent event = OperationalEvent.apiKeyDisabledAsIdle(
                key.namespace(), key.id(), Objects.requireNonNull(key.disabledAt()));
        List<RuntimeException> failures = new ArrayList<>();
        List<OperationalEvent> events = owners.withOwner(key, event, failures).toList();
        if (!failures.isEmpty()) { // the key is disabled nevertheless
            LOG.warn("Could not tell the owner of an API key that it is disabled as idle", failures.get(0));
        }
        return () -> dispatchers.get().forEach(dispatcher -> dispatcher.raise(events));
    }
}
