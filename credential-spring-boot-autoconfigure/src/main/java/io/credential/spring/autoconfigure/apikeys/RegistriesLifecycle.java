package io.credential.spring.autoconfigure.apikeys;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

import io.credential.apikey.JdbcApiKeyRegistries;
import io.credential.spring.autoconfigure.CredentialPhases;

/** Runs the background work of the registries while the context runs. */
final class RegistriesLifecycle implements SmartLifecycle {

    private final @Nullable JdbcApiKeyRegistries registries;
    private volatile boolean running;

    /** @param registries null if a test has replaced them by a mock */
    RegistriesLifecycle(@Nullable JdbcApiKeyRegistries registries) {
        this.registries = registries;
    }

    @Override
    public void start() {
        if (registries != null) {
            registries.start();
        }
        running = true;
    }

    /** Writes what is pending. The registries remain usable for components that stop later. */
    @Override
    public void stop() {
        if (registries != null) {
            registries.close();
        }
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return CredentialPhases.BACKGROUND_WORK;
    }
}
