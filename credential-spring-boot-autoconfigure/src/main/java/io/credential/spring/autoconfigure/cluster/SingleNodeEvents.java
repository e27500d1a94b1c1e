package io.credential.spring.autoconfigure.cluster;

import java.util.OptionalLong;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

import io.credential.spring.autoconfigure.CredentialPhases;

/** In single mode, publishes that this node is the leader while the context runs. Thread-safe. */
final class SingleNodeEvents implements SmartLifecycle {

    private static final OptionalLong EPOCH = OptionalLong.of(0);

    private final Supplier<LeadershipEvents> factory;
    private volatile @Nullable LeadershipEvents events;

    SingleNodeEvents(Supplier<LeadershipEvents> factory) {
        this.factory = factory;
    }

    @Override
    public synchronized void start() {
        if (events == null) {
            LeadershipEvents started = factory.get();
            started.accept(EPOCH);
            events = started;
        }
    }

    @Override
    public synchronized void stop() {
        LeadershipEvents stopping = events;
        if (stopping != null) {
            stopping.accept(OptionalLong.empty());
            stopping.close();
            events = null;
        }
    }

    @Override
    public boolean isRunning() {
        return events != null;
    }

    @Override
    public int getPhase() {
        return CredentialPhases.LEADERSHIP;
    }
}
