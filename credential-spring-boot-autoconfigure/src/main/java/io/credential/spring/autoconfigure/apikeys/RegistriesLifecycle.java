package io.credential.spring.autoconfigure.apikeys;

import org.springframework.context.SmartLifecycle;

import io.credential.apikey.JdbcApiKeyRegistries;
import io.credential.spring.autoconfigure.CredentialPhases;

/** Runs the background work of the registries while the context runs. */
final class RegistriesLifecycle implements SmartLifecycle {

    private final JdbcApiKeyRegistries registries;
    private volatile boolean running;

    RegistriesLifecycle(JdbcApiKeyRegistries registries) {
        this.registries = registries;
    }

    @Override
    public void start() {
        registries.start();
        running = true;
    }

    /** Writes what is pending. The registries remain usable for components that stop later. */
    @Override
    public void stop() {
        registries.close();
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
