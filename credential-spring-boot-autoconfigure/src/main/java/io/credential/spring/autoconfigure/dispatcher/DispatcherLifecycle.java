package io.credential.spring.autoconfigure.dispatcher;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;

import io.credential.spring.autoconfigure.internal.CredentialPhases;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

/**
 * Creates the dispatcher after all other beans, unless one of them has already required it, and runs its background
 * work while the context runs. Thread-safe.
 */
final class DispatcherLifecycle implements SmartInitializingSingleton, SmartLifecycle {

    /** Shorter than Spring Boot's timeout of a shutdown phase, which other components need too. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final ObjectProvider<JdbcWebhookDispatcher> dispatchers;
    private @Nullable JdbcWebhookDispatcher dispatcher;
    private boolean running;

    DispatcherLifecycle(ObjectProvider<JdbcWebhookDispatcher> dispatchers) {
        this.dispatchers = dispatchers;
    }

    @Override
    public void afterSingletonsInstantiated() {
        // Null if a test has replaced the dispatcher with a mock.
        dispatchers.getIfAvailable();
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
