package io.credential.spring.autoconfigure.dispatcher;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.NestedExceptionUtils;

import io.credential.spring.autoconfigure.CredentialPhases;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.storage.UnsupportedDatabaseException;
import io.credential.webhook.delivery.JdbcWebhookDispatcher;

/**
 * Creates the dispatcher after all other beans, unless one of them has already required it, and runs its background
 * work while the context runs. If nothing requires the dispatcher and it cannot be created, startup continues.
 * Thread-safe.
 */
final class DispatcherLifecycle implements SmartInitializingSingleton, SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(DispatcherLifecycle.class);

    /** Shorter than Spring Boot's timeout of a shutdown phase, which other components need too. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final ObjectProvider<JdbcWebhookDispatcher> dispatchers;
    private final boolean required;
    private @Nullable JdbcWebhookDispatcher dispatcher;
    private boolean running;

    DispatcherLifecycle(ObjectProvider<JdbcWebhookDispatcher> dispatchers, boolean required) {
        this.dispatchers = dispatchers;
        this.required = required;
    }

    @Override
    public void afterSingletonsInstantiated() {
        try {
            // Null if a test has replaced the dispatcher with a mock.
            dispatchers.getIfAvailable();
        } catch (BeansException e) {
            if (required) {
                throw e;
            }
            logFailure(NestedExceptionUtils.getMostSpecificCause(e));
        }
    }

    private static void logFailure(Throwable cause) {
        boolean expected =
                cause instanceof UnsupportedDatabaseException || cause instanceof CredentialConfigurationException;
        LOG.atLevel(expected ? Level.INFO : Level.WARN)
                .log(
                        "The webhook dispatcher was not created: {}. To require it, set"
                                + " credential.webhook.dispatcher.enabled=true; startup then fails with an explanation."
                                + " To disable it, set the property to false",
                        cause.getMessage());
    }

    /** Takes over a new dispatcher. */
    synchronized void manage(JdbcWebhookDispatcher created) {
        dispatcher = created;
        if (running) {
            created.start();
        }
    }

    @Override
    public synchronized void start() {
        running = true;
        if (dispatcher != null) {
            dispatcher.start();
        }
    }

    @Override
    public synchronized void stop() {
        running = false;
        if (dispatcher != null) {
            dispatcher.stop(GRACE);
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return CredentialPhases.BACKGROUND_WORK;
    }
}
