package io.credential.spring.autoconfigure.internal;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/** Starts and stops a component with the context. Thread-safe. */
public final class ManagedLifecycle<T> implements SmartLifecycle {

    private final int phase;
    private final @Nullable T component;
    private final Consumer<T> start;
    private final Consumer<T> stop;
    private boolean running;

    /**
     * @param phase one of {@link CredentialPhases}
     * @param component null if a test has replaced it with a mock
     */
    public ManagedLifecycle(int phase, @Nullable T component, Consumer<T> start, Consumer<T> stop) {
        this.phase = phase;
        this.component = component;
        this.start = start;
        this.stop = stop;
    }

    @Override
    public synchronized void start() {
        if (component != null) {
            start.accept(component);
        }
        running = true;
    }

    @Override
    public synchronized void stop() {
        running = false;
        if (component != null) {
            stop.accept(component);
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return phase;
    }
}
